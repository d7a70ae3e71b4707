import { Command, Option } from 'commander';
import { readDocument } from '../../core/documents/read-document.ts';
import { CommandRefused } from '../../faces/cli/failure.ts';
import { listCommand, operationCommand, withRunner } from '../../faces/cli/operation-command.ts';
import { printDetails, printList } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import { type ApplicationSettings, applicationSettings, FLOWS, USUAL_FLOWS } from './application.ts';
import { fromKeycloakCommand } from './keycloak.ts';

const applicationDelete = () => import('./operations/admin/application.delete.ts');
const applicationGet = () => import('./operations/admin/application.get.ts');
const applicationPut = () => import('./operations/admin/application.put.ts');
const applicationsGet = () => import('./operations/admin/applications.get.ts');
const secretPost = () => import('./operations/admin/applications/secret.post.ts');
const signingKeysGet = () => import('./operations/admin/signingkeys.get.ts');
const signingKeysPost = () => import('./operations/admin/signingkeys.post.ts');

const missing = (name: string) => ({
  application_not_found: `There is no application "${name}": see 'tessera applications list'.`,
});

/** The flags of settings, by the member that each gives. */
const FLAGS: { readonly [M in keyof ApplicationSettings]?: Option } = {
  redirectUris: new Option('--redirect-uri <address...>', 'Where people are sent back to after a sign-in.'),
  postLogoutRedirectUris: new Option(
    '--logout-uri <address...>',
    'Where people may be sent back to after a sign-out.',
  ),
  flows: new Option(
    '--flow <flow...>',
    `How it gets tokens, of ${FLOWS.join(', ')}; without it ${USUAL_FLOWS.join(' and ')}.`,
  ),
  groups: new Option('--group <name...>', 'Groups whose members may sign in; without it everybody.'),
  title: new Option('--title <text>', 'Its name for people.'),
  startUri: new Option('--start-uri <address>', 'Where people begin: their account page leads there.'),
  public: new Option('--public', 'It keeps no secret, as in a browser or on a telephone.'),
  trusted: new Option('--trusted', 'Nobody is asked for consent.'),
};

function withSettings(command: Command): Command {
  command.argument(
    '<name>',
    'Name of the application: its client_id. Or the address of its document, if it has one.',
  );
  for (const flag of Object.values(FLAGS)) command.addOption(flag);
  return command.option(
    '--settings <file>',
    "All of its settings, as JSON: what 'applications show --json' prints.",
  );
}

/** The settings of a file, or those from before, with what flags say in place of theirs. */
function settingsOf(options: Record<string, unknown>, before: ApplicationSettings): ApplicationSettings {
  const { settings: file } = options;
  const base = file === undefined ? before : readDocument(String(file), applicationSettings).value;
  const values = Object.entries(FLAGS).map(
    ([member, flag]) => [member, options[flag.attributeName()]] as const,
  );
  return { ...base, ...Object.fromEntries(values.filter(([, value]) => value !== undefined)) };
}

const secretText = (secret: string | undefined) =>
  secret === undefined ? '' : ` Its secret is shown this once:\n${secret}`;

function addCommand(terminal: Terminal): Command {
  const command = operationCommand(
    terminal,
    'add',
    'Add an application. Its secret is made here and shown once.',
  );
  return withSettings(command).action((name: string, flags) =>
    withRunner(
      terminal,
      flags,
      async ({ together }) => {
        await together([applicationsGet, applicationPut], async (run, say) => {
          const { value: page } = await run(applicationsGet, { query: { limit: '1000' } });
          if (page.items.some((application) => application.name === name))
            throw new CommandRefused(
              `Refused: there is an application "${name}" already: change it by 'tessera applications change'.`,
            );
          const body = settingsOf(flags, { redirectUris: [] });
          const { value } = await run(applicationPut, { path: { name }, body });
          say(`Added the application "${name}".${secretText(value.secret)}\n`);
        });
      },
      'adding',
    ),
  );
}

function changeCommand(terminal: Terminal): Command {
  const about = 'Change settings of an application. What no flag names stays as it is.';
  return withSettings(operationCommand(terminal, 'change', about)).action((name: string, flags) =>
    withRunner(terminal, flags, async ({ together }) => {
      await together([applicationGet, applicationPut], async (run, say) => {
        const { value: before } = await run(applicationGet, { path: { name } }, missing(name));
        const body = settingsOf(flags, before.settings);
        const { value, changed } = await run(applicationPut, { path: { name }, body });
        const what = changed ? 'Changed the application' : 'Nothing to change in the application';
        say(`${what} "${name}".${secretText(value.secret)}\n`);
      });
    }),
  );
}

const listApplications = (terminal: Terminal): Command =>
  listCommand(terminal, 'List the applications.', applicationsGet, {
    name: ({ name }) => name,
    title: ({ settings }) => settings.title,
    flows: ({ settings }) => (settings.flows ?? USUAL_FLOWS).join(' '),
    secret: ({ hasSecret }) => hasSecret,
    added: ({ addedAt }) => addedAt,
  });

/** A command about one application. */
const aboutOne = (terminal: Terminal, name: string, about: string): Command =>
  operationCommand(terminal, name, about).argument('<name>', 'Name of the application.');

function showCommand(terminal: Terminal): Command {
  return aboutOne(terminal, 'show', 'Show the settings of an application, without its secret.')
    .option('--json', "The settings alone, as JSON: what '--settings' takes.")
    .action((name: string, options) =>
      withRunner(terminal, options, async ({ run }) => {
        const { value } = await run(applicationGet, { path: { name } }, missing(name));
        const { settings, hasSecret, addedAt } = value;
        if (options.json === true) {
          terminal.stdout.write(`${JSON.stringify(settings, undefined, 2)}\n`);
          return;
        }
        const shown = Object.entries(settings).map(([member, each]) => {
          const isText = Array.isArray(each) || typeof each !== 'object';
          return [member, isText ? each : JSON.stringify(each)];
        });
        const details = { name, added: addedAt, secret: hasSecret, ...Object.fromEntries(shown) };
        await printDetails(terminal, details, false);
      }),
    );
}

function removeCommand(terminal: Terminal): Command {
  const about =
    'Remove an application: its secret and all of its tokens are refused from the next request on.';
  return aboutOne(terminal, 'remove', about).action((name: string, options) =>
    withRunner(terminal, options, async ({ run }) => {
      await run(applicationDelete, { path: { name } }, missing(name));
      terminal.stdout.write(`Removed the application "${name}".\n`);
    }),
  );
}

function secretCommand(terminal: Terminal): Command {
  const about = 'Give an application another secret. The one before is refused from the next request on.';
  return aboutOne(terminal, 'secret', about).action((name: string, options) =>
    withRunner(terminal, options, async ({ run }) => {
      const { value } = await run(secretPost, { path: { name } }, missing(name));
      terminal.stdout.write(`The application "${name}" has another secret.${secretText(value.secret)}\n`);
    }),
  );
}

/** `tessera applications` */
export function applicationsCommand(terminal: Terminal): Command {
  const commands = [
    addCommand,
    changeCommand,
    listApplications,
    showCommand,
    secretCommand,
    removeCommand,
    fromKeycloakCommand,
  ];
  const group = new Command('applications').description(
    'Applications that people sign in to with their ticket.',
  );
  for (const make of commands) group.addCommand(make(terminal));
  return group;
}

function listKeysCommand(terminal: Terminal): Command {
  return operationCommand(
    terminal,
    'list',
    'List the keys that sign tokens, and those that are still published.',
  )
    .option('--json', 'As JSON.')
    .action((options) =>
      withRunner(terminal, options, async ({ run }) => {
        const { value } = await run(signingKeysGet, {});
        const rows = value.items.map(({ kid, alg, addedAt, retiredAt, publishedUntil }) => ({
          key: kid,
          algorithm: alg,
          added: addedAt,
          retired: retiredAt,
          published: publishedUntil,
        }));
        const columns = ['key', 'algorithm', 'added', 'retired', 'published'] as const;
        await printList(terminal, columns, [rows], options.json === true);
      }),
    );
}

function rotateKeysCommand(terminal: Terminal): Command {
  const about =
    'Have new keys sign: the next request of an application makes them. Those before stay published for two days.';
  return operationCommand(terminal, 'rotate', about)
    .option('--drop', 'Remove all keys at once, since one may have leaked: what they signed counts no more.')
    .action((options) =>
      withRunner(terminal, options, async ({ run }) => {
        const { changed } = await run(signingKeysPost, { body: { drop: options.drop } });
        const done = options.drop ? 'Removed all keys that sign tokens' : 'Retired the keys that sign tokens';
        const text = changed
          ? `${done}. The next request of an application makes new ones.`
          : 'No key signs yet.';
        terminal.stdout.write(`${text}\n`);
      }),
    );
}

/** `tessera signing-keys` */
export function signingKeysCommand(terminal: Terminal): Command {
  return new Command('signing-keys')
    .description('Keys that sign tokens for applications.')
    .addCommand(listKeysCommand(terminal))
    .addCommand(rotateKeysCommand(terminal));
}
