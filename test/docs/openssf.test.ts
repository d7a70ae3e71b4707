import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const PAGE = new URL('../../docs/reference/openssf.md', import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** The criteria of the passing level, by their words. */
const CRITERIA = {
  must: [
    ...['description_good', 'interact', 'contribution', 'floss_license', 'license_location'],
    ...['documentation_basics', 'documentation_interface', 'sites_https', 'discussion', 'maintained'],
    ...[
      'repo_public',
      'repo_track',
      'repo_interim',
      'version_unique',
      'release_notes',
      'release_notes_vulns',
    ],
    ...['report_process', 'report_responses', 'report_archive', 'vulnerability_report_process'],
    ...['vulnerability_report_private', 'vulnerability_report_response', 'build', 'test', 'test_policy'],
    ...['tests_are_added', 'warnings', 'warnings_fixed', 'know_secure_design', 'know_common_errors'],
    ...['crypto_published', 'crypto_floss', 'crypto_keylength', 'crypto_working', 'crypto_password_storage'],
    ...['crypto_random', 'delivery_mitm', 'delivery_unsigned', 'vulnerabilities_fixed_60_days'],
    ...['no_leaked_credentials', 'static_analysis', 'static_analysis_fixed', 'dynamic_analysis_fixed'],
  ],
  should: [
    ...['contribution_requirements', 'english', 'report_tracker', 'enhancement_responses'],
    ...['build_floss_tools', 'test_invocation', 'crypto_call', 'crypto_weaknesses', 'crypto_pfs'],
    ...['vulnerabilities_critical_fixed'],
  ],
  suggested: [
    ...['floss_license_osi', 'repo_distributed', 'version_semver', 'version_tags', 'build_common_tools'],
    ...['test_most', 'test_continuous_integration', 'tests_documented_added', 'warnings_strict'],
    ...['static_analysis_common_vulnerabilities', 'static_analysis_often', 'dynamic_analysis'],
    ...['dynamic_analysis_unsafe', 'dynamic_analysis_enable_assertions'],
  ],
};

const rows = readFileSync(PAGE, 'utf8')
  .split('\n')
  .map((line) => /^\| `(\w+)` \| (\w+) \| \*\*(Met|Unmet|N\/A)\*\* \| (.+) \|$/.exec(line))
  .filter((row) => row !== null);

test('each criterion of the passing level is answered once, with its word', () => {
  const criteria = Object.entries(CRITERIA).flatMap(([word, names]) =>
    names.map((name) => `${name} ${word}`),
  );
  assert.equal(criteria.length, 67);
  assert.deepEqual(rows.map(([, name, word]) => `${name} ${word}`).toSorted(), criteria.toSorted());
});

test('what is met has evidence that is there, and what is unmet says what is missing', () => {
  for (const [, name, , answer, evidence = ''] of rows) {
    const files = [...evidence.matchAll(/\]\(([^)#]+)/g)].map(([, target = '']) => target);
    for (const file of files) assert.ok(existsSync(new URL(file, PAGE)), `${name} names ${file}`);
    for (const [, script = ''] of evidence.matchAll(/`npm (?:run )?([\w:]+)/g))
      assert.ok(script === 'audit' || script in scripts, `${name} names npm run ${script}`);
    if (answer === 'Met')
      assert.ok(files.length > 0 || /`(?:npm|git|\.ci)|^git$/.test(evidence), `${name} has no evidence`);
    else assert.ok(evidence.length > 25, `${name} does not say why`);
  }
});
