"""Remarks of a user and replies on something else, for what is overheard."""

from __future__ import annotations

REMARKS = (
    "Stop it please",
    "Tell me more",
    "Turn it down",
    "Can you repeat that",
    "Who wrote it",
    "Say that again slowly",
    "What time is it",
    "I have another question",
    "Do you speak French",
    "What is the weather like",
    "Please stop talking about that",
    "I want to know the price",
    "How far away is the moon",
    "Remind me to buy some milk",
    "Are there any trains this evening",
    "I think that you misunderstood my question",
    "Please tell me something about the old city",
    "How do I get from here to the airport",
    "Is there a good restaurant that is still open",
    "What is the difference between a virus and a bacterium",
)
"""Of 3 to 11 words."""

REPLIES = (
    "The capital of France is Paris, and it lies on the river Seine. About two million people live in "
    "the city itself, and more than ten million around it.",
    "You should boil the potatoes for twenty minutes and add the butter at the end. A little nutmeg "
    "goes well with it, and so does fresh parsley.",
    "Once upon a time there was a king who had three daughters. The youngest of them loved to walk in "
    "the forest behind the castle, where she talked to the birds.",
    "Water expands when it freezes, because its molecules arrange themselves in a lattice that takes "
    "more room. That is why a bottle may break in the freezer.",
    "The museum near the station is open from nine to five, but it is closed on Mondays. You can buy "
    "the tickets at the entrance or on the web page.",
    "To change the language, open the settings and choose the first page. The program asks you to start "
    "it again, and then everything is in your language.",
    "Photosynthesis is how plants turn light, water and carbon dioxide into sugar and oxygen. It "
    "happens in small green parts of their cells.",
    "I would suggest a short walk along the river this afternoon, as it will stay dry until the "
    "evening. Take a light jacket with you, for the wind is cool.",
    "The first computers filled whole rooms and were slower than a pocket calculator of today. They "
    "were programmed by plugging cables into boards.",
    "If you feel a headache coming, drink a glass of water and rest your eyes for a while. When it does "
    "not get better within a day, see a doctor.",
    "A guitar has six strings, and each of them can be tuned by turning a peg at the head. Start with "
    "the thickest one, which is usually an E.",
    "The train leaves from platform four at a quarter past eight and arrives in Vienna shortly before "
    "noon. There is no need to change on the way.",
)
