import type { Command } from 'commander';
import { DIRECTORY } from '../../domain/external-identity.ts';
import { userKey } from '../../domain/user.ts';
import { LockOuts } from '../../identity/lock-outs.ts';
import { rulesFor } from '../../identity/throttle-state.ts';
import { throttleKeyFor } from '../../main/throttle-key.ts';
import { findSignIn, type SignInRules } from '../../people/sign-in-facts.ts';
import { sentenceOfSignIn } from '../../people/why-not-sign-in.ts';
import { ticketLimitsIn } from '../../settings/derived.ts';
import type { Settings } from '../../settings/table.ts';
import { visible } from '../../visible.ts';
import { onStore, settingsFor, storeCommand, type Terminal } from '../context.ts';

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
      const finding = await onStore(settings, (store, clock) =>
        store.read((unit) => findSignIn(unit, name, clock(), signInRules(settings))),
      );
      terminal.stdout.write(`${visible(sentenceOfSignIn(finding))}\n`);
    });
}
