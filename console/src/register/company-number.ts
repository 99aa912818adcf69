/**
 * Returns the typed text as a company number of the register, or null when it is more likely a name. The API accepts
 * shorter numbers too, but people who type `3M` or `1066` want a name.
 */
export function readCompanyNumber(typed: string): string | null {
  const match = /^([A-Z]{0,2})(\d{5,8})$/.exec(typed.replaceAll(/[\s.-]/g, '').toUpperCase())
  const [, prefix = '', digits = ''] = match ?? []
  const width = 8 - prefix.length
  return match && digits.length <= width ? prefix + digits.padStart(width, '0') : null
}

const POSTCODE = /^[A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2}$/i

export const isPostcode = (typed: string): boolean => POSTCODE.test(typed.trim())
