"""What PyInstaller would take along and the bundle does not need, or must not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

Entry = tuple[str, str, str]
"""One file of PyInstaller's tables: name in the bundle, path on this machine, kind."""

UNUSED_MODULES = (
    "IPython",
    "av",
    "kokoro",
    "lib2to3",
    "matplotlib",
    "misaki.en",
    "numpy.f2py",
    "numpy.testing",
    "onnxruntime.quantization",
    "onnxruntime.tools",
    "onnxruntime.transformers",
    "pip",
    "pydoc_data",
    "pytest",
    "scipy",
    "setuptools",
    "silero_vad",
    "spacy",
    "sympy",
    "tkinter",
    "torch",
    "unittest.mock",
)
"""Imported by others for what we do not use; the extra `[torch]` is for installations with pip."""

_UNUSED_QT = re.compile(
    r"(^|/)PySide6/(Qt/)?("
    r"translations/"
    # No plugin but those of a desktop: a window system, pictures, the desktop's own look.
    r"|plugins/(designer|egldeviceintegrations|generic|networkinformation|printsupport|qmllint|qmltooling"
    r"|sqldrivers|tls|vectorimageformats|wayland-graphics-integration-server)/"
    r"|plugins/platforms/(lib)?q(eglfs|linuxfb|minimal|minimalegl|vkkhrdisplay|vnc|direct2d)\."
    r"|plugins/imageformats/(lib)?q(tiff|webp|wbmp|tga|icns|pdf|jpeg|gif)\."
    r"|plugins/platforminputcontexts/libqtvirtualkeyboardplugin\."
    # Shows the files of GTK itself; the desktop portal does so too, and without all libraries of GTK.
    r"|plugins/platformthemes/libqgtk3\."
    r"|opengl32sw\.dll"
    r")"
    # Only those plugins load these.
    r"|(^|/)(lib)?Qt6(EglFS|EglFs|Pdf|Qml|Quick|VirtualKeyboard|Sql|Test|PrintSupport)[A-Za-z]*\.(so|dll)"
)

_DISTRIBUTION = re.compile(
    r"^lib("
    # Sound: the libraries that know the sound server and the plugins of this distribution.
    r"asound|jack|portaudio|pulse|sndio|pipewire"
    # Graphics drivers of the distribution are built with a compiler as new as this library at least.
    r"|stdc\+\+|gcc_s"
    # The desktop: its services and configuration files belong to libraries of the same version.
    r"|dbus-1|systemd|udev|cap|gcrypt|gpg-error|lz4|fontconfig|freetype|expat|png16"
    r"|(glib|gio|gobject|gmodule|gthread)-2\.0|pcre2-8|selinux|mount|blkid"
    r"|X11|X11-xcb|Xext|Xau|Xdmcp|Xrender|Xi|Xfixes|Xcursor|Xrandr|Xdamage|Xcomposite|Xinerama|bsd|md"
    r"|wayland-[a-z]+|drm|gbm"
    # What GTK draws with; a part of it would be worse than nothing.
    r"|gtk-3|gdk-3|gdk_pixbuf-2\.0|pango[a-z0-9]*-1\.0|cairo|cairo-gobject|pixman-1|atk-1\.0|harfbuzz|fribidi|graphite2"
    r"|thai|datrie|jpeg"
    # Single sign-on, which Qt's network module is linked with.
    r"|gssapi_krb5|krb5|k5crypto|krb5support|com_err|keyutils"
    r")\.so"
)
"""Libraries that every desktop distribution has and that must be its own (Linux)."""


def needed(entries: Iterable[Entry], *, linux: bool) -> Iterator[Entry]:
    """Return the entries that belong into the bundle.

    Args:
        entries: A table of PyInstaller.
        linux: Whether the bundle is for Linux, where some libraries must be the distribution's own.
    """
    for entry in entries:
        name = entry[0].replace("\\", "/")
        if _UNUSED_QT.search(name):
            continue
        if linux and "/" not in name and _DISTRIBUTION.match(name):
            continue
        yield entry
