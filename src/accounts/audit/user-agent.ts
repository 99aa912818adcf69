/** Short names of browsers, the one that hides behind others' names first. */
const BROWSERS: ReadonlyArray<[pattern: RegExp, name: string]> = [
  [/\bEdgA?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/Chrome\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[^ ]* (?:Mobile\/\S+ )?Safari\//, 'Safari'],
]

const SYSTEMS: ReadonlyArray<[pattern: RegExp, name: string]> = [
  [/\bWindows\b/, 'Windows'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const LENGTH_MAX = 60
const READ_MAX = 400

/**
 * Returns the browser with its main version and the system, or the first word of a program: enough to recognise one's own
 * device, too little to recognise a stranger's.
 */
export function shortenUserAgent(sent: string): string {
  const text = sent.slice(0, READ_MAX)
  for (const [pattern, name] of BROWSERS) {
    const version = pattern.exec(text)?.[1]
    if (version === undefined) continue
    const system = SYSTEMS.find(([known]) => known.test(text))?.[1]
    return `${name} ${version}${system === undefined ? '' : ` on ${system}`}`
  }
  const [program = ''] = text
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .split(/\s+/)
  return program.startsWith('Mozilla/') ? 'Another browser' : program.slice(0, LENGTH_MAX)
}
