import { variableOf } from '../../core/settings/table.ts';
import { type CheckResult, type DoctorCheck, orOk, skipped, warning } from '../../faces/cli/doctor-check.ts';
import { accentColours, contrastOf, LEAST_CONTRAST, type Scheme } from '../../faces/pages/brand-colours.ts';

const rounded = (contrast: number) => (Math.floor(contrast * 10) / 10).toFixed(1);

/** The accent in dark pages is always another shade, so only light pages tell whether the colour suits. */
function pale(accent: string): readonly CheckResult[] {
  const contrast = contrastOf(accent, 'light');
  if (contrast >= LEAST_CONTRAST) return [];
  const shade = accentColours(accent, 'light').accent;
  return [
    warning(
      `${variableOf('brandAccent')}: ${accent} has a contrast of ${rounded(contrast)} on light pages, where text needs ${LEAST_CONTRAST}: pages use ${shade} in its place`,
      `set ${shade} or a darker colour`,
    ),
  ];
}

/** Whether the operator's colour can be read (WCAG 2.2 AA), and which shade of it pages use in each scheme. */
export const brandCheck: DoctorCheck = {
  name: 'own name',
  page: 'docs/how-to/own-name.md',
  async look({ settings: { brandAccent } }) {
    if (brandAccent === '') return [skipped('no colour is set')];
    const shade = (scheme: Scheme) => {
      const { accent, contrast } = accentColours(brandAccent, scheme);
      return `${accent} on ${scheme} pages (contrast ${rounded(contrast)})`;
    };
    return orOk(pale(brandAccent), `the colour can be read: ${shade('light')}, ${shade('dark')}`);
  },
};
