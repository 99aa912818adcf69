const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/London' })
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/London' })

/** A reader in London sees London's time. */
export const formatMoment = (at: Date): string => moment.format(at)

export const formatDay = (at: Date): string => day.format(at)
