import { Command } from 'commander';
import { visible } from '../../core/visible.ts';
import { settingsFor, storeCommand } from '../../faces/cli/context.ts';
import { WrongUsage } from '../../faces/cli/failure.ts';
import { operationCommand, withRunner } from '../../faces/cli/operation-command.ts';
import { printDetails } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import { loadRules } from './rules/load.ts';

const explanationGet = () => import('./operations/admin/gate/explanation.get.ts');

function explainCommand(terminal: Terminal): Command {
  return operationCommand(
    terminal,
    'explain',
    'Say which rule decides over a request to a protected service, and why.',
  )
    .argument('<url>', 'The URL of the request, such as https://wiki.example.org/admin.')
    .option('--user <name>', 'The user who sends it.')
    .option('--anonymous', 'It comes without a live ticket.')
    .option('--method <method>', 'The method of the request.', 'GET')
    .option('--from <address>', 'The address of its client, for rules that name networks.')
    .option('--rules <file>', 'The document of the rules; by default that of the settings.')
    .option('--json', 'As JSON.')
    .action((url: string, options) => {
      const { user: name, anonymous, method, from, rules: gateRules } = options;
      if ((name === undefined) === (anonymous === undefined))
        throw new WrongUsage('Say who sends the request: give --user with a name, or --anonymous.');
      // Settings with rules name a proxy. No proxy tells this request.
      const proxy = { gateUriHeader: 'X-Original-URL', trustedProxies: '127.0.0.1' };
      const inForce = gateRules === undefined ? options : { ...options, ...proxy, gateRules };
      return withRunner(terminal, inForce, async ({ run, here }) => {
        if (gateRules !== undefined && here === undefined)
          throw new WrongUsage('--rules has no effect over HTTP, where the rules in force decide.');
        const { answer, rules, user, groups } = (
          await run(
            explanationGet,
            { query: { url, method, user: name, from } },
            { user_not_found: `There is no user "${name}": see 'tessera users list'.` },
          )
        ).value;
        const several =
          'services read this path in several ways: every one of these rules has to let it through';
        const view = {
          answer,
          ...(rules.length > 1 && { path: several }),
          ...Object.fromEntries(
            rules.map(({ number, line, text }) => [`rule ${number}`, `line ${line}: ${text}`]),
          ),
          user,
          groups,
        };
        await printDetails(terminal, view, options.json === true);
      });
    });
}

function checkCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'check', 'Check a document of rules before the service loads it.')
    .argument('<path>', 'The document.')
    .action(async (path: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const { rules } = loadRules(path, settings.namesCaseSensitive);
      terminal.stdout.write(`${visible(path)}: ${rules.length} rules, no fault.\n`);
    });
}

/** `tessera gate` */
export function gateCommand(terminal: Terminal): Command {
  const command = new Command('gate').description(
    'The rules by which the gate lets requests to services through.',
  );
  for (const child of [checkCommand, explainCommand]) command.addCommand(child(terminal));
  return command;
}
