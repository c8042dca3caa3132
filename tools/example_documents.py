"""Write the Word and PDF files of the shipped example documents from the texts in this file.

The texts are the source; the files are kept beside them because users read them. A test reads them back and compares.
Usage: tools/example_documents.py (needs the extras documents and plots, and fonts for Chinese and Korean).
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent.parent / "src/turnmark/examples/rag/documents"
FONTS = ("Noto Serif CJK SC", "Noto Serif CJK KR", "Libertinus Serif")


class Block(NamedTuple):
    """A block of a document: ``style`` is title, heading, item or text."""

    style: str
    text: str


def _blocks(text: str) -> list[Block]:
    """Blocks of the little notation below: ``#`` title, ``##`` heading, ``-`` item, anything else text."""
    styles = {"# ": "title", "## ": "heading", "- ": "item"}
    found = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        mark = next((mark for mark in styles if line.startswith(mark)), "")
        found.append(Block(styles.get(mark, "text"), line.removeprefix(mark)))
    return found


WORD = {
    "zh/bank.docx": _blocks("""
        # 星港银行简介
        星港银行成立于1996年，总部位于临海市滨江区。星港银行的注册资本为58亿元。
        ## 服务
        星港银行的客服热线是95099，全天24小时服务。星港银行的主要业务包括个人储蓄、公司信贷、信用卡和财富管理。
        理财产品的风险等级分为低风险、中低风险、中风险、中高风险和高风险。风险测评的有效期为12个月。
    """),
    "ko/byeolbit.docx": _blocks("""
        # 별빛은행 소개
        별빛은행은 1989년에 설립되었다. 별빛은행의 본점은 한강시 중앙구에 있다. 별빛은행의 자본금은 4,200억 원이다.
        ## 업무
        별빛은행의 주요 업무는 예금, 대출, 카드와 자산 관리이다. 별빛은행은 전국에 지점 215개를 운영한다.
    """),
    "en/northgate.docx": _blocks("""
        # Northgate Bank
        Northgate Bank was founded in 1974. Northgate Bank is headquartered in Port Alder.
        ## Services
        Northgate Bank offers savings accounts, mortgages, credit cards and business loans.
        The number of branches of Northgate Bank is 186.
    """),
}

PDF = {
    "zh/cooker.pdf": _blocks("""
        # 晨曦电饭煲使用说明书
        ## 技术规格
        - 额定功率：860瓦
        - 容量：4升
        - 净重：3.6千克
        ## 使用方法
        煮一锅米饭大约需要40分钟。保温时间不宜超过12小时，因为米饭会变干变黄。清洁内锅前，请先拔下电源插头。
        指示灯不亮时，请检查电源插头是否插好。如果内锅变形，应更换新的内锅。
        ## 保修
        本产品的整机保修期为两年。发热盘的保修期为六年。
    """),
    "ko/bapsot.pdf": _blocks("""
        # 새벽밥솥 사용 설명서
        ## 제품 사양
        - 용량: 1.8리터
        - 소비 전력: 1,090와트
        - 무게: 5.2kg
        ## 사용 방법
        백미 취사에는 약 35분이 걸립니다. 보온은 12시간 이내로 해야 합니다. 초기화하려면 취소 버튼을 5초간 누르십시오.
        내솥을 세척하기 전에 전원 플러그를 뽑으십시오. 표시등이 깜박이면 뚜껑이 닫혔는지 확인하십시오.
        ## 품질 보증
        이 제품의 보증 기간은 1년입니다. 내솥의 보증 기간은 3년입니다.
    """),
    "en/kettle.pdf": _blocks("""
        # Brightwater K17 User Manual
        ## Specifications
        - Capacity: 1.7 litres
        - Rated power: 2,200 W
        - Weight: 1.1 kg
        ## Use
        The kettle takes about four minutes to boil a full load.
        The heating element must be descaled every three months.
        To reset the kettle, press and hold the power button for five seconds. Before cleaning the kettle, unplug it and
        let it cool down. When the indicator light flashes red, check the water level.
        ## Warranty
        The warranty period of the heating element is five years. Repairs are provided by Brightwater Electric.
    """),
}


def write_word(blocks: list[Block], path: Path) -> None:
    """A Word file with styles for title, headings and lists."""
    import docx  # noqa: PLC0415 - an extra

    word = docx.Document()
    styles = {"title": "Title", "heading": "Heading 2", "item": "List Bullet", "text": "Normal"}
    for block in blocks:
        word.add_paragraph(block.text, style=styles[block.style])
    word.save(str(path))


def write_pdf(blocks: list[Block], path: Path) -> None:
    """A PDF of one page with the fonts of the system; only the characters in use are embedded."""
    import typst  # noqa: PLC0415 - an extra

    marks = {"title": "= ", "heading": "== ", "item": "- ", "text": ""}
    fonts = ", ".join(f'"{font}"' for font in FONTS)
    lines = [f"#set document(date: none)\n#set text(font: ({fonts}), size: 11pt)\n#set page(margin: 2.5cm)"]
    lines += [marks[block.style] + block.text.replace("#", "\\#").replace("$", "\\$") for block in blocks]
    source = "\n\n".join(lines).replace("\n\n- ", "\n- ")
    path.write_bytes(typst.compile(source.encode("utf-8")))


def main() -> None:
    """Write every file."""
    for name, blocks in WORD.items():
        write_word(blocks, FOLDER / name)
    for name, blocks in PDF.items():
        write_pdf(blocks, FOLDER / name)


if __name__ == "__main__":
    main()
