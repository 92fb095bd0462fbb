"""`gametree site`: the practice page as files for a course page, or as one file."""

from pathlib import Path
from typing import Annotated

from grader.base.numbers import format_count
from grader.cli.generate import SeedOption, choose_seed
from grader.cli.shared.exam_folders import Jobs, working_side_by_side
from grader.cli.shared.exercises import KindNames, require_kinds
from grader.cli.shared.languages import LanguageCode, require_language
from grader.cli.shared.output_folder import write_folder
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.progress_bar import count_bar
from grader.cli.shared.refusals import refusing
from grader.cli.shared.sources import write_result
from grader.cli.shared.terminal import CommandApp, refuse, report
from grader.exam.folders import EXAM_FILE

app = CommandApp()


@app.command()
def site(
    out: Annotated[Path, argument("OUT", "The folder to write, or the file with --single.")],
    pyodide: Annotated[
        str,
        option("Pyodide: the folder of `npm install pyodide`, or an address to load it from.", metavar="DIR"),
    ],
    kinds: KindNames = None,
    number: Annotated[
        int, option("How many questions of each kind.", "-n", "--number", metavar="N", min=2, max=2000)
    ] = 40,
    single: Annotated[bool, option("Write a single file that opens with a double click.")] = False,
    seed: SeedOption = None,
    language: LanguageCode = None,
    jobs: Jobs = None,
    force: Annotated[bool, option("Replace other files that are already in OUT.")] = False,
) -> None:
    """Write the practice page for a course page.

    It needs only a static web server: the grader runs in the browser with Pyodide, and students'
    answers stay there. It contains the keys of its questions, so use it for practice only.

    Examples:
      npm install pyodide
      gametree site practice/ --pyodide node_modules/pyodide
      gametree site practice.html --single --pyodide node_modules/pyodide --kinds pruned-paths,windows
      gametree site online/ --pyodide https://cdn.jsdelivr.net/pyodide/v314.0.7/full/

    A folder has to come from a web server (python -m http.server will do); one file can be opened as it is.
    """
    from grader.web.question_pool import LEVELS, QUESTION_SECONDS, grow_pools
    from grader.web.site_compilation import compile_site
    from grader.web.static_site import Pyodide, SiteProgram, grader_archive, single_file_page, site_files

    codes, chosen_language = require_kinds(kinds), require_language(language)
    target = out.absolute()
    if any((folder / EXAM_FILE).exists() for folder in (target, *target.parents)):
        hint = "Questions here come with their keys: write elsewhere."
        refuse(f"{out} is in the folder of an exam.", hint)
    with refusing(f"{pyodide} cannot be read", OSError):
        runtime = Pyodide.find(pyodide)
    pairs = [(kind, level) for kind in codes for level in LEVELS]
    seconds = len(codes) * number * QUESTION_SECONDS
    with count_bar("Growing", len(pairs)) as tell, working_side_by_side(jobs, seconds) as run:
        pools = grow_pools(number, choose_seed(seed), pairs, chosen_language, run=run, tell=tell)
    sources = SiteProgram(grader_archive(chosen_language), runtime)
    code = compile_site(sources)
    if code is None:
        report("The page takes twice as long to start: compiling its code needs Node and Pyodide here.")
    if single:
        write_result(str(out), single_file_page(pools, code or sources, chosen_language))
    else:
        write_folder(out, site_files(pools, code or sources, chosen_language), force=force)
    total = sum(len(questions) for levels in pools.values() for questions in levels.values())
    report(f"Wrote {format_count(total, 'question')} of {format_count(len(codes), 'kind')} into {out}.")
