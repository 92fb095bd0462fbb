"""`gametree site`: the practice page as files for a course page, or as one file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from grader.cli.generate import Seed, chosen
from grader.cli.shared.exam_folders import Jobs, refusing, working_side_by_side
from grader.cli.shared.kind_option import KindNames, kinds_of
from grader.cli.shared.languages import LanguageCode, language_of
from grader.cli.shared.output_folder import write_folder
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.progress_bar import watching
from grader.cli.shared.sources import reading, write
from grader.cli.shared.terminal import counted, program, refuse, report

if TYPE_CHECKING:
    from grader.web.site import Pyodide

app = program()


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
    ] = 200,
    single: Annotated[bool, option("Write one file with everything in it, for a double click.")] = False,
    seed: Seed = None,
    language: LanguageCode = None,
    jobs: Jobs = None,
    force: Annotated[bool, option("Replace other files that are in OUT already.")] = False,
) -> None:
    """Write the practice page for a course page.

    It needs no server that computes anything: the grader runs in the browser, by way of Pyodide,
    and students' answers stay there. The keys of its questions are in it, so it is for practice only.

    Examples:
      npm install pyodide
      gametree site practice/ --pyodide node_modules/pyodide
      gametree site practice.html --single --pyodide node_modules/pyodide --kinds pruned-paths,windows
      gametree site online/ --pyodide https://cdn.jsdelivr.net/pyodide/v314.0.7/full/

    A folder has to come from a web server (python -m http.server will do); one file can be opened as it is.
    """
    from grader.exam.folders import EXAM
    from grader.web.compiling import compiled
    from grader.web.pool import LEVELS, QUESTION_SECONDS, everything
    from grader.web.site import SiteProgram, folder, grader
    from grader.web.site import single as whole

    codes, spoken = kinds_of(kinds), language_of(language)
    place = out.absolute()
    if any((each / EXAM).exists() for each in (place, *place.parents)):
        hint = "Questions here come with their keys: write elsewhere."
        refuse(f"{out} is in the folder of an exam.", hint)
    runtime = _runtime(pyodide)
    pairs = [(kind, level) for kind in codes for level in LEVELS]
    seconds = len(codes) * number * QUESTION_SECONDS
    with watching("Growing", len(pairs)) as tell, working_side_by_side(jobs, seconds) as run:
        pools = everything(number, chosen(seed), pairs, spoken, run=run, tell=tell)
    sources = SiteProgram(grader(spoken), runtime)
    code = compiled(sources)
    if code is None:
        report("The page starts in twice the time: its code is compiled where Node and Pyodide are here.")
    if single:
        write(str(out), whole(pools, code or sources, spoken))
    else:
        write_folder(out, folder(pools, code or sources, spoken), set(), force=force)
    grown = sum(len(found) for levels in pools.values() for found in levels.values())
    report(f"Wrote {counted(grown, 'question')} of {counted(len(codes), 'kind')} into {out}.")


def _runtime(said: str) -> "Pyodide":
    """Pyodide, in a folder or at an address."""
    from grader.web.site import Pyodide, PyodideError

    with reading(said), refusing(PyodideError):
        return Pyodide.at(said)
