"""Completion of verbs and options by the shell."""

import os
import subprocess
import sys

import pytest


def turnmark(*arguments, **environment):
    command = [sys.executable, "-m", "turnmark", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})


@pytest.mark.parametrize(("shell", "said"), [("bash", "complete -o nosort"), ("zsh", "compdef"), ("fish", "complete ")])
def test_each_shell_gets_a_script(shell, said):
    done = turnmark("completion", shell)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout
    assert f"_TURNMARK_COMPLETE={shell}_complete" in done.stdout


def test_what_a_script_asks_for_is_answered():
    asked = {"_TURNMARK_COMPLETE": "bash_complete", "COMP_WORDS": "turnmark exp", "COMP_CWORD": "1"}
    assert turnmark(**asked).stdout.split() == ["plain,export"]


def test_another_shell_is_refused():
    assert turnmark("completion", "tcsh").returncode == 2
