import type { Page } from '../../../core/representations/representation.ts';
import { dressOf } from '../../../faces/pages/brand-assets.ts';
import { anyReader } from '../../../faces/pages/reader.ts';
import type { ShowRefusedByGate } from '../gate-refusal.ts';

/** The page of a request to a protected service that the gate refuses: what is missing, and how to sign in as another user. */
export const gatePage: ShowRefusedByGate = ({ user, groups, lack, signIn, portal, ...context }): Page => {
  const reader = anyReader(context);
  const { language, say } = reader;
  const list = new Intl.ListFormat(language, { type: 'disjunction' }).format(groups);
  const notForUser = groups.length > 0 ? say('gate.groups', { groups: list }) : say('gate.others');
  const ofUser = lack === undefined ? notForUser : say(`gate.${lack}`);
  const { brandHelpUrl } = context.browser.brand;
  const lacksFactor = lack === 'second' || lack === 'passkey';
  const whatToDo = [
    say(lacksFactor ? 'gate.account' : 'gate.ask'),
    ...(!lacksFactor || signIn === undefined || portal === undefined
      ? []
      : [{ text: say('gate.toAccount'), to: new URL('/portal/account', portal).href }]),
    ...(brandHelpUrl === '' ? [] : [{ text: say('gate.whom'), to: brandHelpUrl }]),
    ...(signIn === undefined || user === undefined
      ? []
      : [{ text: say(lack === undefined ? 'gate.signIn' : 'gate.signInAgain'), to: signIn }]),
  ];
  return {
    title: say('gate.title'),
    language,
    dress: dressOf(reader),
    rows: [
      [say('gate.why'), user === undefined ? say('gate.closed') : ofUser],
      ...(user === undefined ? [] : ([[say('gate.user'), user]] as const)),
      [say('gate.help'), whatToDo],
    ],
  };
};
