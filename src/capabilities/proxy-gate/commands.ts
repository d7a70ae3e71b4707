import { Command } from 'commander';
import { userKey } from '../../core/domain/user.ts';
import { parseHop } from '../../core/http/client-address.ts';
import { type Settings, variableOf } from '../../core/settings/table.ts';
import { visible } from '../../core/visible.ts';
import { onStore, settingsFor, storeCommand } from '../../faces/cli/context.ts';
import { CommandRefused, WrongUsage } from '../../faces/cli/failure.ts';
import { printDetails } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import { groupNamesOf } from './operations/gate.get.ts';
import {
  type AskingUser,
  decisionOver,
  explain,
  type GateExplanation,
  type GateVerdict,
} from './rules/explain.ts';
import { loadRules } from './rules/load.ts';
import type { Decision, GateRule, GateRules } from './rules/rules.ts';

function rulesFor(path: string | undefined, { gateRules, namesCaseSensitive }: Settings): GateRules {
  const file = path ?? gateRules;
  if (file === '')
    throw new CommandRefused(
      `There are no rules, so every user with a live ticket is let through: name their document with --rules or in ${variableOf('gateRules')}.`,
    );
  return loadRules(file, namesCaseSensitive);
}

/** The callers that a rule lets through, in words. */
function allowedBy({ written: { allow } }: GateRule): string {
  if (allow === 'public') return 'every request';
  if (allow === 'signed-in') return 'every user';
  if (allow === 'none') return 'no request';
  const { groups = [], users = [] } = allow;
  return [
    ...(groups.length > 0 ? [`members of ${groups.join(', ')}`] : []),
    ...(users.length > 0 ? [`the users ${users.join(', ')}`] : []),
  ].join(', and ');
}

/** What a rule demands of sign-ins, in words; empty if nothing. */
function demandsOf({ written: { factor, fresh } }: GateRule): string {
  const parts = [
    ...(factor === undefined ? [] : [factor === 'passkey' ? 'with a passkey' : 'with a second factor']),
    ...(fresh === undefined ? [] : [`not longer ago than ${fresh}`]),
  ];
  return parts.length === 0 ? '' : `after a sign-in ${parts.join(' and ')}`;
}

/** The requests that a rule is about, in words. */
function aboutOf({ written }: GateRule): string {
  const { host = 'any host', path, pattern, methods = [], networks = [] } = written;
  const where = path === undefined ? (pattern ?? 'any path') : `${path.replace(/(.)\/$/, '$1')} and below`;
  const further = [
    ...(methods.length > 0 ? [methods.join(' ')] : []),
    ...(networks.length > 0 ? [`from ${networks.join(' ')}`] : []),
  ];
  return [host, where, ...further].join(', ');
}

/** One line for each rule that decides, by the name of the rule. */
function rulesShown({ rules, unclear }: Decision): Record<string, string> {
  if (unclear !== undefined) return {};
  const lines = rules.map((rule) =>
    rule === undefined
      ? ['no rule', 'none fits']
      : [
          `rule ${rule.number}`,
          `line ${rule.line}: ${aboutOf(rule)}, lets through ${[allowedBy(rule), demandsOf(rule)].filter(Boolean).join(', ')}`,
        ],
  );
  const several = 'services read this path in several ways: every one of these rules has to let it through';
  return { ...(rules.length > 1 && { path: several }), ...Object.fromEntries(lines) };
}

/** The answer of the gate, and why. */
function answerOf({ verdict, against, decision, asking }: GateExplanation): string {
  const demands = new Set(decision.rules.map((rule) => rule && demandsOf(rule)).filter(Boolean));
  const ANSWERS: Readonly<Record<GateVerdict, string>> = {
    unreadable: `403, since ${decision.unclear}`,
    public: 'yes, without a user',
    closed: `403, since rule ${against?.number} lets through no request`,
    unmatched: '403, since no rule fits',
    'sign-in': '401, or a redirect to the sign-in page: it needs a user',
    disabled: `401, since ${asking?.user.name} is disabled`,
    'not-admitted': `403, since rule ${against?.number} lets through ${against && allowedBy(against)}`,
    passes: ['yes', ...demands].join(', '),
  };
  return ANSWERS[verdict];
}

async function askingIn(terminal: Terminal, settings: Settings, name: string): Promise<AskingUser> {
  return onStore(terminal, settings, (store) =>
    store.read(async (unit) => {
      const user = await unit.users.findByKey(userKey(name, settings.namesCaseSensitive));
      if (user === undefined)
        throw new CommandRefused(`There is no user "${name}": see 'tessera users list'.`);
      return { user, groups: await groupNamesOf(unit, user) };
    }),
  );
}

/** The address of the client. Throws unless address and URL are whole. */
function clientIn(url: string, from: string | undefined) {
  if (!/^https?:\/\//i.test(url))
    throw new WrongUsage('Give the whole URL, such as https://wiki.example.org/admin.');
  const client = from === undefined ? undefined : parseHop(from);
  if (from !== undefined && client === undefined)
    throw new WrongUsage('Give the whole address with --from, such as 10.1.2.3 or 2001:db8::7.');
  return client;
}

function explainCommand(terminal: Terminal): Command {
  return storeCommand(
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
    .action(async (url: string, options) => {
      const { user: name, anonymous, method } = options;
      if ((name === undefined) === (anonymous === undefined))
        throw new WrongUsage('Say who sends the request: give --user with a name, or --anonymous.');
      const { settings } = settingsFor(options, terminal);
      const client = clientIn(url, options.from);
      const rules = rulesFor(options.rules, settings);
      if (rules.namesNetworks && options.from === undefined)
        throw new WrongUsage(
          'The rules name networks: say where the request comes from, with --from and an address.',
        );
      const decision = decisionOver(rules, url, method, client);
      const asking = name === undefined ? undefined : await askingIn(terminal, settings, name);
      const keyOf = (text: string) => userKey(text, settings.namesCaseSensitive);
      const view = {
        answer: answerOf(explain(decision, asking, keyOf)),
        ...rulesShown(decision),
        user: asking?.user.name,
        groups: asking?.groups ?? [],
      };
      await printDetails(terminal, view, options.json === true);
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
