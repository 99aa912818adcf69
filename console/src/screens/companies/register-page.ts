/** Returns the address of a company on the register's own site, or of one of the lists there. */
export function registerPage(number: string, list: 'filing-history' | null = null): string {
  const page = `https://find-and-update.company-information.service.gov.uk/company/${number}`
  return list === null ? page : `${page}/${list}`
}
