import type { AnyOperation } from '../core/operation.ts';
import type { SettingGroup } from '../core/settings/table.ts';
import type { Sweep } from '../core/storage/sweep.ts';
import type { UnitTable } from '../engines/sql/statement.ts';
import type { DoctorCheck } from '../faces/cli/doctor-check.ts';
import type { MakeCommand } from '../faces/cli/terminal.ts';

/**
 * What a capability adds to the service. `main/capabilities.ts` lists them: a capability is removed with its folder and its line
 * there. What is loaded on demand is a function that imports it.
 */
export interface Capability {
  /** The name of its folder. */
  readonly id: string;
  readonly settings?: SettingGroup;
  /** Where it keeps its data: members of units, which it declares for `ReadUnit` and `WriteUnit`. */
  readonly tables?: readonly UnitTable[];
  readonly operations?: () => Promise<readonly AnyOperation[]>;
  /** The pages for people, served with the portal. */
  readonly pages?: () => Promise<readonly AnyOperation[]>;
  /** The commands by their names. */
  readonly commands?: Readonly<Record<string, () => Promise<MakeCommand>>>;
  /** What the sweeper removes of its data when the time is over. */
  readonly sweep?: () => Promise<Sweep>;
  /** What the doctor examines. */
  readonly checks?: () => Promise<readonly DoctorCheck[]>;
}
