import { readFileSync } from 'node:fs';

const textOf = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const { version } = JSON.parse(textOf('package.json')) as { readonly version: string };

/** The files with placeholders that a release has to replace, such as `<SECURITY ADDRESS>`. */
const WITH_PLACEHOLDERS = ['SECURITY.md', 'deploy/debian/control'];
const placeholders = WITH_PLACEHOLDERS.flatMap((file) =>
  (textOf(file).match(/<[A-Z ]+>/g) ?? []).map((placeholder) => ({ file, placeholder })),
);
const heading = `## [${version}] - `;
const isDated = textOf('CHANGELOG.md')
  .split('\n')
  .some((line) => line.startsWith(heading) && /\d{4}-\d\d-\d\d$/.test(line));

for (const { file, placeholder } of placeholders)
  console.error(`${file} still has the placeholder ${placeholder}: put what it names in its place`);
if (!isDated)
  console.error(
    `CHANGELOG.md has no section "${heading}YYYY-MM-DD": give the unreleased section this heading`,
  );
if (placeholders.length > 0 || !isDated) process.exit(1);
