/** The formats that every workbook has without stating them (ECMA-376, part 1, 18.8.30). */
const BUILT_IN: ReadonlyArray<[id: number, format: string]> = [
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [5, '"$"#,##0_);("$"#,##0)'],
  [6, '"$"#,##0_);[Red]("$"#,##0)'],
  [7, '"$"#,##0.00_);("$"#,##0.00)'],
  [8, '"$"#,##0.00_);[Red]("$"#,##0.00)'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [14, 'mm-dd-yy'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'm/d/yy h:mm'],
  [37, '#,##0 ;(#,##0)'],
  [38, '#,##0 ;[Red](#,##0)'],
  [39, '#,##0.00;(#,##0.00)'],
  [40, '#,##0.00;[Red](#,##0.00)'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mmss.0'],
  [48, '##0.0E+0'],
  [49, '@'],
]
/** Dates of east Asian calendars, whose look depends on the country of the program. */
const EAST_ASIAN_DATES = [27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58]

export const BUILT_IN_FORMATS: ReadonlyMap<number, string> = new Map([
  ...BUILT_IN,
  ...EAST_ASIAN_DATES.map((id): [number, string] => [id, 'yyyy-mm-dd']),
])
export const BUILT_IN_IDS: ReadonlyMap<string, number> = new Map(BUILT_IN.map(([id, format]) => [format, id]))

export type FormatKind = 'number' | 'time' | 'day'

/** What a number with a format is: a day, with or without a time; a time of day alone; or a number, as a length of time such as `[h]:mm` is. */
export function kindOfFormat(format: string): FormatKind {
  const [first = ''] = format.split(';')
  if (/\[(?:h+|m+|s+)\]/i.test(first)) return 'number'
  const letters = first.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, '')
  if (!/[ymdhs]/i.test(letters) || /general/i.test(letters) || /[#?]/.test(letters)) return 'number'
  // Beside hours or seconds, `m` is minutes; else it is the month.
  return /[yd]/i.test(letters) || !/[hs]/i.test(letters) ? 'day' : 'time'
}

const DAY_MS = 86_400_000
const EPOCH_MS = Date.UTC(1899, 11, 30)
/** Workbooks count a 29 February 1900, which there never was. Days before March 1900 are one off. */
const FIRST_SURE_DAY = 61
/** The end of the year 9999. */
const LAST_DAY = 2_958_466

/** The day or time of a number of days since 1899-12-30; null where there is none. */
export function toDate(serial: number): string | null {
  if (!Number.isFinite(serial) || serial < 0 || serial >= LAST_DAY) return null
  const seconds = Math.round((serial % 1) * 86_400)
  const days = Math.floor(serial)
  if (days === 0) return new Date(seconds * 1_000).toISOString().slice(11, 19)
  if (days === FIRST_SURE_DAY - 1) return null
  const start = EPOCH_MS + (days < FIRST_SURE_DAY ? DAY_MS : 0)
  const iso = new Date(start + days * DAY_MS + seconds * 1_000).toISOString()
  return seconds === 0 || seconds === 86_400 ? iso.slice(0, 10) : iso.slice(0, 19)
}

/** The number of days that a workbook stores for a day, a time, or both; null where it cannot. */
export function toSerial(date: string): number | null {
  const time = /^(\d{2}):(\d{2}):(\d{2})$/.exec(date)
  if (time) return (Number(time[1]) * 3_600 + Number(time[2]) * 60 + Number(time[3])) / 86_400
  const ms = Date.parse(date.length === 10 ? date : `${date.replace(/Z$/, '')}Z`)
  if (Number.isNaN(ms)) return null
  const serial = (ms - EPOCH_MS) / DAY_MS
  return serial >= FIRST_SURE_DAY && serial < LAST_DAY ? serial : null
}
