"""Confinement on Linux: namespaces, a root folder of its own, Landlock, seccomp, limits."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from pathlib import Path

import edgewise
from edgewise.grading.confinement import kernel, landlock, root, seccomp
from edgewise.grading.confinement.limits import MEBI, holds_more, limit, tasks_of
from edgewise.grading.confinement.policy import ENVIRONMENT, NAMESPACES, Layer, Policy, layers

NOBODY = 65534

_FLAGS = {
    "user": kernel.CLONE_NEWUSER,
    "processes": kernel.CLONE_NEWPID,
    "files": kernel.CLONE_NEWNS,
    "network": kernel.CLONE_NEWNET,
    "memory": kernel.CLONE_NEWIPC,
    "host": kernel.CLONE_NEWUTS,
}


class Enclosure:
    """What the zygote prepared, and each worker goes through.

    `home` is a folder of the zygote's own. Preparing changes the calling process for good: its root folder,
    and its user where that was the superuser.
    """

    def __init__(self, policy: Policy, home: str) -> None:
        self.policy = policy
        self._home = home
        self._proc = (
            os.open("/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) if Path("/proc/self").exists() else -1
        )
        self._hidden = root.hidden(policy.hidden)
        self._is_enclosed = self._wants("files") and self._enter_root()
        self._rooms = Path(root.WORK if self._is_enclosed else home, "rooms")
        self._rooms.mkdir(mode=0o711, exist_ok=True)
        self._is_nobody = os.getuid() == 0 and self._wants("user") and self._become_nobody()
        self._spaces = self._offered()
        self._landlock = landlock.version() if self._wants("landlock") else 0
        self._rules = self._opened() if self._landlock else []
        self._user = (os.getuid(), os.getgid())
        if "processes" in self._spaces and seccomp.is_known():
            seccomp.program(kernel.ARCH, signals_to=None, by_path=self._is_enclosed)  # kept for every worker
        if self._wants("privileges"):
            kernel.prctl(kernel.PR_SET_DUMPABLE, 0)  # no process of the same user looks into this one
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)  # what a worker orphans comes to the zygote

    # --- Once, in the zygote ----------------------------------------------------------------------

    def _wants(self, layer: str) -> bool:
        return layer not in self.policy.without

    def _enter_root(self) -> bool:
        """Whether this process now has a root folder without the course."""
        at = Path(self._home, "root")
        at.mkdir(mode=0o755, exist_ok=True)
        try:
            self._leave_mounts()
            root.enter(str(at), self._hidden, self.policy.folder_megabytes)
        except OSError:
            return False
        return True

    def _leave_mounts(self) -> None:
        """A mount namespace of the zygote's own; who is no superuser needs a user namespace for it."""
        user, group = os.getuid(), os.getgid()
        try:
            kernel.unshare(kernel.CLONE_NEWNS)
        except OSError:
            if not self._wants("user"):
                raise
            kernel.unshare(kernel.CLONE_NEWNS | kernel.CLONE_NEWUSER)
            self._map(user, group)

    def _become_nobody(self) -> bool:
        """Whether the superuser is nobody from here on; not where nobody could then read Python."""
        if not self._is_enclosed:
            Path(self._home).chmod(0o711)  # its folders are found by name, and by name alone
        try:
            os.chown(self._rooms, NOBODY, NOBODY)
            os.setegid(NOBODY)
            os.seteuid(NOBODY)
        except OSError:  # the superuser of a container that knows no other user
            return False
        is_readable = os.access(os.__file__, os.R_OK, effective_ids=True) and os.access(
            edgewise.__file__, os.R_OK, effective_ids=True
        )
        os.seteuid(0)
        os.setegid(0)
        if not is_readable:
            os.chown(self._rooms, 0, 0)
            return False
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        return True

    def _offered(self) -> tuple[str, ...]:
        """The namespaces that a worker can have of its own, by trying: those wanted, or none."""
        wanted = tuple(name for name in NAMESPACES if self._wants(name))
        user = (os.getuid(), os.getgid())
        try:
            child = kernel.fork(_flags(wanted))
        except OSError:
            return ()
        if child == 0:
            with contextlib.suppress(OSError):
                self._settle(wanted, user)
                os._exit(0)
            os._exit(1)
        return wanted if os.waitpid(child, 0)[1] == 0 else ()

    def _opened(self) -> list[tuple[int, int]]:
        """Landlock's rules for what every worker may read."""
        listed = root.rules(root.readable(), () if self._is_enclosed else self._hidden)
        rules = []
        for path, is_only_looked_at in listed:
            rights = landlock.LOOK if is_only_looked_at else landlock.READ
            if not Path(path).is_dir():
                rights = landlock.READ_ONE_FILE
            with contextlib.suppress(OSError):
                rules.append((landlock.opened(path), rights))
        return rules + [(landlock.opened(path), landlock.USE_DEVICE) for path in root.DEVICES if Path(path).exists()]

    # --- Once for each worker ---------------------------------------------------------------------

    def fork(self, number: int) -> int:
        """0 in the worker that this makes, its process id in the zygote. `number` is unlike any before."""
        self.room(number)
        return kernel.fork(_flags(self._spaces))

    def room(self, number: int) -> Path:
        """The empty folder of one worker."""
        room = self._rooms / str(number)
        room.mkdir(mode=0o700)
        return room

    def is_overfull(self, number: int) -> bool:
        """Whether a worker's folder holds too much, where it lies on a disk."""
        if self._is_enclosed and "files" in self._spaces:
            return False
        return holds_more(self._rooms / str(number), self.policy.folder_megabytes * MEBI)

    def end(self, worker: int) -> None:
        """End a worker and all that it started, whatever they do about it."""
        for end in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                end(worker, signal.SIGKILL)

    def tidy(self, worker: int, number: int) -> None:
        """Wait until nothing runs that an ended worker started, and remove what it left behind."""
        with contextlib.suppress(ChildProcessError):
            while "processes" not in self._spaces:
                os.waitpid(-worker, 0)
        shutil.rmtree(self._rooms / str(number), ignore_errors=True)

    def confine(self, number: int, seconds: int) -> tuple[Layer, ...]:
        """Take away from this process, a worker, all it does not need. `seconds` is for its processor time."""
        os.setsid()
        on = dict.fromkeys(self._spaces, True)
        on["user"] = "user" in self._spaces or self._is_nobody
        on["files"] = self._is_enclosed
        on["folder"] = True
        folder = self._settle(self._spaces, self._user) or str(self._rooms / str(number))
        os.chdir(folder)
        on["limits"] = self._wants("limits") and self._limit(seconds)
        on["privileges"] = self._wants("privileges") and _give_up_rights()
        on["landlock"] = bool(self._landlock) and on["privileges"] and self._lock(folder)
        on["parent"] = kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL) == 0
        on["seccomp"] = self._wants("seccomp") and on["privileges"] and self._filter()
        os.environ.clear()
        os.environ.update(ENVIRONMENT, TMPDIR=folder)
        on["environment"] = True
        return layers(on)

    def _settle(self, spaces: tuple[str, ...], user: tuple[int, int]) -> str | None:
        """Move into new namespaces: be nobody there, and have the private folder in memory; its path, if so."""
        if "user" in spaces:
            self._map(*user)
        if "files" not in spaces or not self._is_enclosed:
            return None
        size = f"size={self.policy.folder_megabytes}m,nr_inodes=4096,mode=700"
        kernel.mount("tmpfs", root.WORK, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, size)
        return root.WORK

    def _map(self, user: int, group: int) -> None:
        """Be nobody in the user namespace that this process is in, `user` outside."""
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # else the superuser owns these files
        outer = (("setgroups", "deny"), ("uid_map", f"{NOBODY} {user} 1"), ("gid_map", f"{NOBODY} {group} 1"))
        for name, text in outer:
            file = os.open(f"self/{name}", os.O_WRONLY, dir_fd=self._proc)
            try:
                os.write(file, text.encode())
            finally:
                os.close(file)
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)

    def _limit(self, seconds: int) -> bool:
        policy, user = self.policy, os.getuid()
        processes: int | None = policy.processes
        if "user" not in self._spaces:
            processes = policy.processes + tasks_of(user) if user else None  # it does not bind the superuser
        return limit(
            seconds=seconds,
            memory=policy.memory_megabytes * MEBI,
            file=policy.file_megabytes * MEBI,
            files=policy.files,
            processes=processes,
        )

    def _lock(self, folder: str) -> bool:
        rules = [*self._rules, (landlock.opened(folder), landlock.every_right(self._landlock))]
        try:
            landlock.restrict(self._landlock, rules)
        except OSError:
            return False
        return True

    def _filter(self) -> bool:
        if not seccomp.is_known():
            return False
        own = None if "processes" in self._spaces else os.getpid()
        try:
            seccomp.restrict(seccomp.program(kernel.ARCH, signals_to=own, by_path=self._is_enclosed))
        except OSError:
            return False
        return True


def _flags(spaces: tuple[str, ...]) -> int:
    return sum(_FLAGS[name] for name in spaces)


def _give_up_rights() -> bool:
    try:
        kernel.drop_capabilities()
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    except OSError:
        return False
    return True
