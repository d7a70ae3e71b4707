import type { FactorsOfPrograms, SecondFactorRules } from '../../core/domain/second-factor.ts';
import type { User } from '../../core/domain/user.ts';
import { secretKeysPlace, secretSealer } from '../../core/sealing/secret-keys.ts';
import type { Settings } from '../../core/settings/table.ts';
import type { OpenedCapability, OpeningParts } from '../capability.ts';
import { AppPasswordVerifier } from './app-passwords/verifier.ts';
import { factorDemandOf, noteFactorAsked } from './rules/second-factors.ts';
import { SecondFactors } from './second-factor/second-factors.ts';
import { signInStep } from './sign-in-step.ts';

/** The rules about second factors, as they are set. */
function rulesIn({ secondFactor, secondFactorGroups, secondFactorGrace }: Settings): SecondFactorRules {
  return { mode: secondFactor, groups: secondFactorGroups, grace: secondFactorGrace };
}

/**
 * How the password check treats programs of users with and without a second factor. With the first login at which one is
 * required, the time for registering it begins.
 */
function factorsOfPrograms({ settings, store, clock }: OpeningParts): FactorsOfPrograms {
  const rules = rulesIn(settings);
  const asksSecondFactor = rules.mode !== 'off';
  if (rules.mode !== 'required' && rules.groups.length === 0) return { asksSecondFactor };
  const refusesWithoutFactor = async (user: User): Promise<boolean> => {
    const { asks } = await store.read((unit) => factorDemandOf(unit, user, rules, clock()));
    if (asks === 'soon') await store.write((unit) => noteFactorAsked(unit, user, clock()));
    return asks === 'registration';
  };
  return { asksSecondFactor, refusesWithoutFactor };
}

/** The judge of second factors, as the settings have it. Logs once for each user that the secret cannot be decrypted. */
function secondFactorsFor({ settings, clock, log }: OpeningParts): SecondFactors {
  const told = new Set<number>();
  return new SecondFactors({
    rules: rulesIn(settings),
    sealer: secretSealer(settings, clock),
    clock,
    onUnreadable(userId) {
      if (told.has(userId)) return;
      told.add(userId);
      const file = secretKeysPlace(settings);
      log.error(
        { userId, file },
        'the secret of an authenticator app cannot be decrypted, so its codes are refused: put the kept file of keys back; if it is lost, reset the second factor of each user, as tessera users second-factor reset NAME does',
      );
    },
  });
}

/** Verifies app passwords, and asks for second factors as it is set. */
export async function openFactors(parts: OpeningParts): Promise<OpenedCapability> {
  const secondFactors = secondFactorsFor(parts);
  return {
    verifier: new AppPasswordVerifier(parts),
    factorsOfPrograms: factorsOfPrograms(parts),
    browserTools: { secondFactors, secondStep: signInStep(secondFactors) },
  };
}
