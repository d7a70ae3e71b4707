import { Command } from 'commander';
import { variableOf } from '../../core/settings/table.ts';
import { CommandRefused } from '../../faces/cli/failure.ts';
import { operationCommand, withRunner } from '../../faces/cli/operation-command.ts';
import { print, printList } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import { profileIn, roleIn, withProfile } from '../people/commands/users/profile-options.ts';
import { OUTBOX_HEADINGS, outboxRow } from '../webhooks/commands.ts';

const mailGet = () => import('./operations/admin/mail.get.ts');
const retryPost = () => import('./operations/admin/mail/retry.post.ts');
const testPost = () => import('./operations/admin/mail/test.post.ts');

function listCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'list', 'Show the mails that wait or were given up, and the last fault.')
    .option('--json', 'As JSON.')
    .action((options) =>
      withRunner(terminal, options, async ({ run }) => {
        const { sends, ...outbox } = (await run(mailGet, {})).value;
        const row = { state: sends ? 'on' : 'off', ...outboxRow(outbox) };
        await printList(terminal, ['state', ...OUTBOX_HEADINGS], [[row]], options.json === true);
      }),
    );
}

function testCommand(terminal: Terminal): Command {
  return operationCommand(
    terminal,
    'test',
    'Send a mail to an address, and tell the answer.',
    ...(['smtpUrl', 'smtpPassword', 'smtpCa', 'mailFrom', 'portalUrl'] as const),
  )
    .argument('<address>', 'The address.')
    .action((to: string, options) =>
      withRunner(terminal, options, async ({ run }) => {
        const { taken, fault } = (await run(testPost, { body: { to } })).value;
        if (!taken) throw new CommandRefused(`The mail was not sent: ${fault}.`);
        await print(
          terminal,
          'The mail server took it. If it does not arrive, look into the log of that server.\n',
        );
      }),
    );
}

function retryCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'retry', 'Send the mails now that wait or were given up.').action(
    (options) =>
      withRunner(terminal, options, async ({ run }) => {
        const { count } = (await run(retryPost, {})).value;
        await print(terminal, `The service sends ${count} mails now.\n`);
      }),
  );
}

const invitationsPost = () => import('./operations/admin/invitations.post.ts');

/** `tessera users invite` */
export function inviteCommand(terminal: Terminal): Command {
  const command = operationCommand(
    terminal,
    'invite',
    'Invite a user to choose a password, and add it if it is not there.',
    'portalUrl',
    'invitationLifetime',
    'mailLanguage',
  )
    .argument('<name>', 'User name.')
    .option('--language <language>', 'The language of the mail: de, en, es or fr.');
  return withProfile(command).action((userName: string, options) =>
    withRunner(
      terminal,
      options,
      async ({ run }) => {
        const body = { userName, ...profileIn(options), ...roleIn(options), language: options.language };
        const { userName: name, link } = (await run(invitationsPost, { body })).value;
        const outcome =
          link === undefined
            ? ': a mail is on its way.'
            : `. Hand over this link, which is shown this once:\n${link}`;
        const mend = link?.startsWith('/')
          ? `\nWrite the address of the service before it, such as https://tickets.example.org. With ${variableOf('portalUrl')} set the link has it.`
          : '';
        await print(terminal, `Invited "${name}"${outcome}${mend}\n`);
      },
      'adding',
    ),
  );
}

/** `tessera mail` */
export function mailCommand(terminal: Terminal): Command {
  const command = new Command('mail').description('The mails that the service sends to people.');
  for (const each of [listCommand, testCommand, retryCommand]) command.addCommand(each(terminal));
  return command;
}
