import type { Command } from 'commander';
import { DIRECTORY } from '../../../../core/domain/external-identity.ts';
import { userKey } from '../../../../core/domain/user.ts';
import { LockOuts } from '../../../../core/identity/lock-outs.ts';
import { throttleKeyFor } from '../../../../core/identity/throttle-key.ts';
import { rulesFor } from '../../../../core/identity/throttle-state.ts';
import { ticketLimitsIn } from '../../../../core/settings/derived.ts';
import type { Settings } from '../../../../core/settings/table.ts';
import { visible } from '../../../../core/visible.ts';
import { onStore, settingsFor, storeCommand } from '../../../../faces/cli/context.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import { findSignIn, type SignInRules } from '../../rules/sign-in-facts.ts';
import { sentenceOfSignIn } from '../../rules/why-not-sign-in.ts';

/** Whether the settings have the directory, or identity providers at all: their document is not read. */
const isSet = (provider: string, { ldapUrls, providers }: Settings) =>
  provider === DIRECTORY ? ldapUrls.length > 0 : providers !== '';

function signInRules(settings: Settings): SignInRules {
  const { namesCaseSensitive } = settings;
  return {
    keyOf: (name) => userKey(name, namesCaseSensitive),
    lockOuts: new LockOuts(throttleKeyFor(settings, 'command'), rulesFor(settings), namesCaseSensitive),
    ticketLimits: ticketLimitsIn(settings),
    asksOldServer: settings.shadow !== '',
    asksDirectory: settings.ldapUrls.length > 0,
    providerState: (id) => (isSet(id, settings) ? 'on' : 'off'),
  };
}

/** `tessera users why` */
export function whyCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'why',
    'Tell why a user can or cannot log in.',
    'throttleAfter',
    'lockoutThreshold',
    'lockoutDuration',
    'ticketsPerUser',
    'ticketsFull',
    'shadow',
    'ldapUrls',
    'ldapUserBase',
    'ldapBindDn',
    'ldapBindPassword',
    'providers',
  )
    .argument('<name>', 'User name.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const finding = await onStore(terminal, settings, (store, clock) =>
        store.read((unit) => findSignIn(unit, name, clock(), signInRules(settings))),
      );
      terminal.stdout.write(`${visible(sentenceOfSignIn(finding))}\n`);
    });
}
