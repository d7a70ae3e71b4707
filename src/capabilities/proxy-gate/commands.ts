import { Command } from 'commander';
import { parseHop } from '../../core/http/client-address.ts';
import type { Settings } from '../../core/settings/table.ts';
import { visible } from '../../core/visible.ts';
import { settingsFor, storeCommand } from '../../faces/cli/context.ts';
import { WrongUsage } from '../../faces/cli/failure.ts';
import { operationCommand, withRunner } from '../../faces/cli/operation-command.ts';
import { printDetails } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import type { explanationShown } from './operations/admin/gate/explanation.get.ts';
import { decisionOver, explain } from './rules/explain.ts';
import { loadRules } from './rules/load.ts';

const explanationGet = () => import('./operations/admin/gate/explanation.get.ts');

/** A request to explain, as its command line says. */
interface RequestToExplain extends Readonly<Record<'url' | 'method', string>> {
  readonly user?: string;
  readonly from?: string;
}

type Explanation = Pick<ReturnType<typeof explanationShown.json>, 'answer' | 'rules' | 'groups'> & {
  readonly user?: string | undefined;
};

/** The request that the command line tells. Throws unless URL and address are whole. */
function askedBy(url: string, { method, user, from }: Omit<RequestToExplain, 'url'>): RequestToExplain {
  if (!/^https?:\/\//i.test(url))
    throw new WrongUsage('Give the whole URL, such as https://wiki.example.org/admin.');
  if (from !== undefined && parseHop(from) === undefined)
    throw new WrongUsage('Give the whole address with --from, such as 10.1.2.3 or 2001:db8::7.');
  return { url, method, ...(user !== undefined && { user }), ...(from !== undefined && { from }) };
}

const addressMissing = () =>
  new WrongUsage('The rules name networks: say where the request comes from, with --from and an address.');

/** What the operation may refuse once the request is whole. */
const sentencesFor = (name: string | undefined) => ({
  user_not_found: `There is no user "${name}": see 'tessera users list'.`,
  argument_invalid: addressMissing(),
});

/** What the rules that are set decide over a request without a live ticket. It needs no store, so rules can be tried without one. */
async function explainedAlone(
  settings: Settings,
  { url, method, from }: RequestToExplain,
): Promise<Explanation> {
  const { gateRules, namesCaseSensitive } = settings;
  const rules = gateRules === '' ? undefined : loadRules(gateRules, namesCaseSensitive);
  if (rules?.namesNetworks && from === undefined) throw addressMissing();
  const { explanationShown } = await import('./operations/admin/gate/explanation.get.ts');
  const decision = decisionOver(rules, url, method, from === undefined ? undefined : parseHop(from));
  return explanationShown.json(explain(decision, undefined, String));
}

/** What is printed of an explanation. */
function viewOf({ answer, rules, user, groups }: Explanation) {
  const several = 'services read this path in several ways: every one of these rules has to let it through';
  return {
    answer,
    ...(rules.length > 1 && { path: several }),
    ...Object.fromEntries(rules.map(({ number, line, text }) => [`rule ${number}`, `line ${line}: ${text}`])),
    user,
    groups,
  };
}

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
      const { user: name, anonymous, rules: gateRules } = options;
      if ((name === undefined) === (anonymous === undefined))
        throw new WrongUsage('Say who sends the request: give --user with a name, or --anonymous.');
      const asked = askedBy(url, options);
      // Settings with rules name a proxy. No proxy tells this request.
      const proxy = { gateUriHeader: 'X-Original-URL', trustedProxies: '127.0.0.1' };
      const inForce = gateRules === undefined ? options : { ...options, ...proxy, gateRules };
      return withRunner(terminal, inForce, async ({ run, here }) => {
        if (gateRules !== undefined && here === undefined)
          throw new WrongUsage('--rules has no effect over HTTP, where the rules in force decide.');
        const explanation =
          here !== undefined && name === undefined
            ? await explainedAlone(here.settings, asked)
            : (await run(explanationGet, { query: asked }, sentencesFor(name))).value;
        await printDetails(terminal, viewOf(explanation), options.json === true);
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
