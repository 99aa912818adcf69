/** The sections of SIC 2007, by the first two digits of a code. Codes of four digits are older and belong to none. */
import sic from '../words/codes/sic-codes.json' with { type: 'json' }

/** `A` to `U`. */
export const SIC_SECTIONS: readonly string[] = sic.sic2007_sections.map(({ section }) => section)

export const SIC_SECTION_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  sic.sic2007_sections.map(({ section, name }) => [section, name]),
)

/** The letter of each division: `01` is `A`. */
export const SECTION_OF_DIVISION: Readonly<Record<string, string>> = Object.fromEntries(
  sic.sic2007_sections.flatMap(({ section, from_division: from, to_division: to }) =>
    Array.from({ length: to - from + 1 }, (_, nth) => [String(from + nth).padStart(2, '0'), section]),
  ),
)

/** The register's own code for dormant companies, with the number of a division that it is not in. */
export const NO_SECTION = '99999'

export function findSection(sicCode: string): string | null {
  if (!/^\d{5}$/.test(sicCode) || sicCode === NO_SECTION) return null
  return SECTION_OF_DIVISION[sicCode.slice(0, 2)] ?? null
}
