/**
 * A company number as the register writes it: eight characters, digits padded with zeros, letters in capitals. Takes
 * what people type (`SC 12345`, `6500244`, `oc301234`); null when it cannot be one.
 */
export function parseCompanyNumber(typed: string): string | null {
  const compact = typed.replaceAll(/[\s.-]/g, '').toUpperCase()
  const match = /^([A-Z]{0,2}?)(\d{1,8})([A-Z]?)$/.exec(compact)
  if (!match) return null
  const [, prefix = '', digits = '', suffix = ''] = match
  const width = 8 - prefix.length - suffix.length
  if (digits.length > width) return null
  return prefix + digits.padStart(width, '0') + suffix
}
