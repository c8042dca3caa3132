import importlib.util

import pytest


@pytest.fixture(scope="session")
def chat_server(project):
    """The class of the local server that speaks chat completions and breaks as told."""
    pytest.importorskip("aiohttp", reason="agents over HTTP need: pip install 'turnmark[http]'")
    path = project / "tests" / "servers" / "chat_server.py"
    spec = importlib.util.spec_from_file_location("chat_server", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.ChatServer
