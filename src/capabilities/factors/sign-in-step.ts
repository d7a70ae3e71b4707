import type { SecondStep } from '../../faces/pages/sign-in-tools.ts';
import { lacksHostName, takesPasskeys } from './pages/passkeys/options.ts';
import { NOT_PENDING, pendingCookie, pendingSignIn } from './pages/second-factor/pending.ts';
import { factorDemandOf, noteFactorAsked } from './rules/second-factors.ts';
import type { SecondFactors } from './second-factor/second-factors.ts';

/** The second step of sign-ins, by these rules. */
export const signInStep = ({ rules }: SecondFactors): SecondStep => ({
  isAsked: rules.mode !== 'off',
  takesPasskeys,
  lacksHostName,
  async demandOf(unit, user, browser, now) {
    const pending = pendingSignIn(browser);
    const isSame = pending?.userId === user.id && pending.generation === user.generation;
    if (isSame && pending.hasGivenFactor) return { asks: 'nothing' };
    return factorDemandOf(unit, user, rules, now);
  },
  methodsBefore(browser, userId) {
    const pending = pendingSignIn(browser);
    return pending?.userId === userId && pending.hasGivenFactor ? pending.methods : [];
  },
  noteAsked: noteFactorAsked,
  pendingCookie: (browser, user, back) => pendingCookie(browser, user, { back }),
  endPending: (browser) => (browser.cookie(NOT_PENDING.name) === undefined ? [] : [NOT_PENDING]),
});
