import { describe } from 'node:test';
import { aDatabaseHasAnId } from './a-database-has-an-id.ts';
import { aFaultUndoesItsOwnUnitOnly } from './a-fault-undoes-its-own-unit-only.ts';
import { aFreshStoreHasTheWellKnownNodes } from './a-fresh-store-has-the-well-known-nodes.ts';
import { aLockedSetWaits } from './a-locked-set-waits.ts';
import { aRemovalTakesTheUserAlong } from './a-removal-takes-the-user-along.ts';
import { aTicketKeepsItsOrigin } from './a-ticket-keeps-its-origin.ts';
import { aTicketMovesToAGeneration } from './a-ticket-moves-to-a-generation.ts';
import { absenceIsUndefined } from './absence-is-undefined.ts';
import { apiKeysAreKeptByName } from './api-keys-are-kept-by-name.ts';
import { appPasswordsAreKeptByName } from './app-passwords-are-kept-by-name.ts';
import { applicationsAreRegisteredClients } from './applications-are-registered-clients.ts';
import { asideFailsAlone } from './aside-fails-alone.ts';
import { attemptsKeptByKey } from './attempts-kept-by-key.ts';
import { attemptsOfANameGoTogether } from './attempts-of-a-name-go-together.ts';
import { attemptsTrimOrder } from './attempts-trim-order.ts';
import { clientsAreKeptByName } from './clients-are-kept-by-name.ts';
import { closedStoreIsUnavailable } from './closed-store-is-unavailable.ts';
import { codesCountOnce } from './codes-count-once.ts';
import { disablingEndsTickets } from './disabling-ends-tickets.ts';
import { eventsAreCounted } from './events-are-counted.ts';
import { eventsAreDelivered } from './events-are-delivered.ts';
import { eventsById } from './events-by-id.ts';
import { eventsLatestFirst } from './events-latest-first.ts';
import { eventsListFilterAndLimit } from './events-list-filter-and-limit.ts';
import { eventsSweepInBatches } from './events-sweep-in-batches.ts';
import { externalIdentitiesAreKeptWithTheUser } from './external-identities-are-kept-with-the-user.ts';
import { externalIdsAreKeptWithTheirOwner } from './external-ids-are-kept-with-their-owner.ts';
import { familiarAddresses } from './familiar-addresses.ts';
import { freedNamesAreKept } from './freed-names-are-kept.ts';
import { groupsNest } from './groups-nest.ts';
import { idsNeverReused } from './ids-never-reused.ts';
import { noTicketOutlivesItsAppPassword } from './no-ticket-outlives-its-app-password.ts';
import { nodesChangeInUnits } from './nodes-change-in-units.ts';
import { nodesLieInTheirParent } from './nodes-lie-in-their-parent.ts';
import { nodesOfStoresStandApart } from './nodes-of-stores-stand-apart.ts';
import { nodesPageSteadily } from './nodes-page-steadily.ts';
import { passkeysAreKeptByCredential } from './passkeys-are-kept-by-credential.ts';
import { passwordLinksAreTheNewest } from './password-links-are-the-newest.ts';
import { profilesAreKeptWithTheUser } from './profiles-are-kept-with-the-user.ts';
import { providerEntriesAreConsumedOnce } from './provider-entries-are-consumed-once.ts';
import { readersSeeCommittedOnly } from './readers-see-committed-only.ts';
import { removedNamesAreRemembered } from './removed-names-are-remembered.ts';
import { revocationsAreNoted } from './revocations-are-noted.ts';
import type { MakeStore } from './samples.ts';
import { serverGeneration } from './server-generation.ts';
import { signingKeysAreKept } from './signing-keys-are-kept.ts';
import { tallyOneRowAMinute } from './tally-one-row-a-minute.ts';
import { theRuleOfCaseIsKept } from './the-rule-of-case-is-kept.ts';
import { throttleStateInOneLook } from './throttle-state-in-one-look.ts';
import { ticketsEndOnce } from './tickets-end-once.ts';
import { ticketsEndWithTheirParent } from './tickets-end-with-their-parent.ts';
import { ticketsFindJoinsTheUser } from './tickets-find-joins-the-user.ts';
import { ticketsOfAUserOldestFirst } from './tickets-of-a-user-oldest-first.ts';
import { ticketsPageSteadily } from './tickets-page-steadily.ts';
import { unitsRunOneAfterAnother } from './units-run-one-after-another.ts';
import { useMovesForwardOnly } from './use-moves-forward-only.ts';
import { usersAddOnce } from './users-add-once.ts';
import { usersAreFoundByAPart } from './users-are-found-by-a-part.ts';
import { usersAreFoundByLookalikes } from './users-are-found-by-lookalikes.ts';
import { usersAreRenamed } from './users-are-renamed.ts';
import { usersAreSortedAndCounted } from './users-are-sorted-and-counted.ts';
import { usersChangeOnlyWhatIsNamed } from './users-change-only-what-is-named.ts';
import { usersComeBackAsKept } from './users-come-back-as-kept.ts';
import { usersNearAShare } from './users-near-a-share.ts';
import { usersSortedByKey } from './users-sorted-by-key.ts';
import { writeIsAllOrNothing } from './write-is-all-or-nothing.ts';

/** What every engine promises: see `src/core/storage/store.ts`. */
const PROMISES: readonly ((make: MakeStore) => void)[] = [
  aDatabaseHasAnId,
  aFaultUndoesItsOwnUnitOnly,
  aFreshStoreHasTheWellKnownNodes,
  aRemovalTakesTheUserAlong,
  aTicketKeepsItsOrigin,
  aTicketMovesToAGeneration,
  absenceIsUndefined,
  aLockedSetWaits,
  asideFailsAlone,
  attemptsKeptByKey,
  attemptsOfANameGoTogether,
  attemptsTrimOrder,
  clientsAreKeptByName,
  closedStoreIsUnavailable,
  codesCountOnce,
  disablingEndsTickets,
  eventsListFilterAndLimit,
  eventsSweepInBatches,
  familiarAddresses,
  idsNeverReused,
  nodesChangeInUnits,
  nodesLieInTheirParent,
  nodesOfStoresStandApart,
  nodesPageSteadily,
  ticketsPageSteadily,
  readersSeeCommittedOnly,
  removedNamesAreRemembered,
  revocationsAreNoted,
  serverGeneration,
  throttleStateInOneLook,
  tallyOneRowAMinute,
  theRuleOfCaseIsKept,
  ticketsEndOnce,
  ticketsEndWithTheirParent,
  ticketsFindJoinsTheUser,
  ticketsOfAUserOldestFirst,
  unitsRunOneAfterAnother,
  useMovesForwardOnly,
  usersAddOnce,
  usersChangeOnlyWhatIsNamed,
  usersComeBackAsKept,
  usersNearAShare,
  usersSortedByKey,
  writeIsAllOrNothing,
  profilesAreKeptWithTheUser,
  groupsNest,
  apiKeysAreKeptByName,
  appPasswordsAreKeptByName,
  noTicketOutlivesItsAppPassword,
  passkeysAreKeptByCredential,
  passwordLinksAreTheNewest,
  usersAreFoundByAPart,
  usersAreFoundByLookalikes,
  eventsAreCounted,
  eventsAreDelivered,
  eventsById,
  eventsLatestFirst,
  externalIdentitiesAreKeptWithTheUser,
  externalIdsAreKeptWithTheirOwner,
  freedNamesAreKept,
  applicationsAreRegisteredClients,
  providerEntriesAreConsumedOnce,
  signingKeysAreKept,
  usersAreRenamed,
  usersAreSortedAndCounted,
];

/** Holds an engine to every promise. */
export function holdToPromises(engine: string, make: MakeStore): void {
  describe(`${engine} keeps its promises`, () => {
    for (const promise of PROMISES) promise(make);
  });
}
