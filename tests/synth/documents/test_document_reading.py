import importlib.util
import io
import sys
import zipfile

import pytest

from turnmark.errors import MissingExtraError, UsageError
from turnmark.schemas.problems import Problem
from turnmark.synth.documents.model import Document, DocumentError
from turnmark.synth.documents.reading import files_of, read_document, read_documents

PAGE = """<!doctype html><html><head><title>Kettle  manual</title><style>p{}</style></head><body><nav>Home</nav>
<h1>Kettle <em>K17</em></h1><p>It holds<br>1.7 litres &amp; more.</p><script>alert("x")</script>
<ul><li>Black</li><li><p>White</p></li></ul>
<table><tr><th>Item</th><th>Value</th></tr><tr><td>Weight</td><td>1.1|kg</td></tr></table>
<p hidden>unseen</p></body></html>"""


@pytest.fixture
def tool(project):
    spec = importlib.util.spec_from_file_location("example_documents", project / "tools/example_documents.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_html_is_what_a_reader_sees(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    found = read_document(path)
    assert (found.title, found.encoding) == ("Kettle manual", "utf-8")
    assert found.text == (
        "# Kettle K17\n\nIt holds\n\n1.7 litres & more.\n\n- Black\n- White\n\n"
        "| Item | Value |\n| --- | --- |\n| Weight | 1.1/kg |\n"
    )


def test_html_declares_its_encoding(tmp_path):
    path = tmp_path / "page.htm"
    path.write_bytes('<meta charset="euc-kr"><p>보증 기간은 2년입니다.</p>'.encode("cp949"))
    found = read_document(path)
    assert (found.text, found.encoding) == ("보증 기간은 2년입니다.\n", "cp949")


def test_html_as_deep_as_it_likes(tmp_path):
    path = tmp_path / "deep.html"
    path.write_text("<div>" * 5000 + "the end" + "</div>" * 5000)
    assert read_document(path).text == "the end\n"


def test_the_shipped_word_and_pdf_files_say_what_their_sources_say(tool):
    for name, blocks in {**tool.WORD, **tool.PDF}.items():
        text = "".join(read_document(tool.FOLDER / name).text.split())
        for block in blocks:
            assert "".join(block.text.split()) in text, (name, block.text)
    word = read_document(tool.FOLDER / "en/northgate.docx")
    assert word.text.startswith("# Northgate Bank\n\nNorthgate Bank was founded in 1974.")
    assert "\n## Services\n" in word.text


def test_word_tables_and_lists_keep_their_order(tmp_path):
    docx = pytest.importorskip("docx")
    word = docx.Document()
    word.add_heading("费用", level=1)
    table = word.add_table(rows=2, cols=2)
    for row, cells in zip(table.rows, [("产品", "年费"), ("安宁卡", "200元")], strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    word.add_paragraph("首年免收", style="List Bullet")
    word.add_paragraph("满六次免收", style="List Bullet")
    word.core_properties.title = "安宁卡说明"
    path = tmp_path / "fees.docx"
    word.save(str(path))
    found = read_document(path)
    assert found.title == "安宁卡说明"
    assert found.text == "# 费用\n\n| 产品 | 年费 |\n| --- | --- |\n| 安宁卡 | 200元 |\n\n- 首年免收\n- 满六次免收\n"


def test_broken_files_are_named_and_the_rest_goes_on(tmp_path):
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("word/document.xml", b"\0" * (300 * 1024 * 1024))
    whole = {
        "a.pdf": b"%PDF-1.7 and then nothing",
        "b.docx": b"PK no zip",
        "c.docx": bomb.getvalue(),
        "d.txt": b"\x00\x01\x02" * 400,
        "e.html": b"",
        "f.md": "# 年费\n\n年费为200元。\n".encode(),
        "~$b.docx": b"lock file",
        ".hidden.md": b"hidden",
        "picture.png": b"no document",
    }
    for name, raw in whole.items():
        (tmp_path / name).write_bytes(raw)
    (tmp_path / "g.pdf").symlink_to(tmp_path / "nowhere.pdf")
    found = list(read_documents(tmp_path))
    problems = [one for one in found if isinstance(one, Problem)]
    assert [one.file.rsplit("/", 1)[-1] for one in problems] == ["a.pdf", "b.docx", "c.docx", "d.txt", "e.html"]
    assert all(one.expected and one.found and one.advice for one in problems)
    assert [one.file for one in found if isinstance(one, Document)] == ["f.md"]


def test_a_pdf_with_a_password_says_so(tmp_path, project):
    pypdf = pytest.importorskip("pypdf")
    writer = pypdf.PdfWriter(clone_from=project / "src/turnmark/examples/rag/documents/en/kettle.pdf")
    writer.encrypt("secret", algorithm="RC4-128")
    path = tmp_path / "locked.pdf"
    writer.write(path)
    with pytest.raises(DocumentError, match="without a password"):
        read_document(path)


def test_a_scanned_pdf_needs_text_recognition(tmp_path):
    pypdf = pytest.importorskip("pypdf")
    writer = pypdf.PdfWriter()
    writer.add_blank_page(width=200, height=200)
    path = tmp_path / "scan.pdf"
    writer.write(path)
    with pytest.raises(DocumentError, match="text recognition"):
        read_document(path)


def test_documents_are_found_in_folders_below_in_one_order(tmp_path):
    for name in ("b.md", "a/z.txt", "a/b.MD", "c/.git/x.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text")
    assert [path.relative_to(tmp_path).as_posix() for path in files_of(tmp_path)] == ["a/b.MD", "a/z.txt", "b.md"]


def test_no_folder_and_no_documents(tmp_path):
    with pytest.raises(UsageError, match="expected a folder of documents"):
        files_of(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="found none"):
        files_of(tmp_path)


@pytest.mark.parametrize(("module", "file"), [("pypdf", "pdf"), ("docx", "docx"), ("selectolax.lexbor", "html")])
def test_a_reader_that_is_not_installed_names_the_install_line(monkeypatch, tmp_path, module, file):
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, f"turnmark.synth.documents.{file}", raising=False)
    monkeypatch.delitem(sys.modules, "turnmark.synth.documents.docx", raising=False)
    path = tmp_path / f"a.{file}"
    path.write_bytes(b"x")
    with pytest.raises(MissingExtraError, match=r"pip install 'turnmark\[documents\]'"):
        read_document(path)
