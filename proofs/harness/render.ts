/** The section of a run in docs/proof.md, before its figures are measured. */
export interface Proof {
  title: string
  /** A paragraph: what was done and how it was checked. */
  about: string
  figures: Record<string, ProvenFigure>
}

export interface Bounds {
  atMost?: number
  atLeast?: number
}

export interface ProvenFigure extends Bounds {
  label: string
  unit?: string
  /** The cause that keeps the figure from its goal, shown only while the goal is missed. */
  limitedBy?: string
}

/** One recorded run: all that its section of docs/proof.md says. */
export interface ProofRecord {
  name: string
  title: string
  about: string
  command: string
  date: string
  machine: string
  versions: Record<string, string>
  figures: Array<ProvenFigure & { figure: string; value: number | string }>
  details?: string
}

/** The order of the page; the others follow by name. */
const ORDER = ['failover', 'model', 'api', 'pages', 'restore', 'deploy', 'mixed', 'soak', 'growth', 'sweep']

const LEAD = `# Proof

Each section is one command that tries to break a claim of Nameplate, and what it measured when it was last run in full. \`--record\`
writes a section; nothing here is typed by hand. \`.ci/run\` and \`.ci/nightly\` run \`--short\` forms, which fail when a figure leaves
its bound. A goal that was not reached says so.
`

export function renderProof(records: readonly ProofRecord[]): string {
  const sorted = records.toSorted((a, b) => rankOf(a) - rankOf(b) || a.name.localeCompare(b.name))
  return [LEAD, ...sorted.map(renderSection), renderMachines(records)].join('\n')
}

function renderMachines(records: readonly ProofRecord[]): string {
  const machines = [...new Set(records.map(({ machine }) => machine))].sort()
  return `The machines, which other programs used too: ${machines.join('; ')}.\n`
}

function rankOf({ name }: ProofRecord): number {
  const rank = ORDER.indexOf(name)
  return rank === -1 ? ORDER.length : rank
}

function renderSection(record: ProofRecord): string {
  const versions = Object.entries(record.versions).map(([program, version]) => `${program} ${version}`)
  const missed = Map.groupBy(record.figures.filter(isMissed), ({ limitedBy }) => limitedBy)
  missed.delete(undefined)
  return [
    `## ${record.title}`,
    record.about,
    [
      '| Measured | Figure | Goal |',
      '| --- | ---: | --- |',
      ...record.figures.map((figure) => `| ${figure.label} | ${renderValue(figure)} | ${renderGoal(figure)} |`),
    ].join('\n'),
    ...[...missed].map(([limit, figures]) => `*${figures.map(({ label }) => label).join('; ')}: ${limit}.*`),
    ...(record.details ? [record.details] : []),
    `\`${record.command} --record\` on ${record.date}: ${versions.join(', ')}.`,
  ]
    .map((block) => `${block.trim()}\n`)
    .join('\n')
}

function renderValue({ value, unit }: ProofRecord['figures'][number]): string {
  const text = typeof value === 'number' ? value.toLocaleString('en-GB', { maximumFractionDigits: 3 }) : value
  return unit ? `${text} ${unit}` : text
}

function renderGoal(figure: ProofRecord['figures'][number]): string {
  const { atMost, atLeast, unit } = figure
  const suffix = unit ? ` ${unit}` : ''
  const bounds = [
    ...(atLeast === undefined ? [] : [`≥ ${atLeast.toLocaleString('en-GB')}${suffix}`]),
    ...(atMost === undefined ? [] : [atMost === 0 ? 'none' : `≤ ${atMost.toLocaleString('en-GB')}${suffix}`]),
  ]
  if (bounds.length === 0) return ''
  return `${bounds.join(', ')}: ${isMissed(figure) ? '**not reached**' : 'reached'}`
}

function isMissed({ value, ...bounds }: ProofRecord['figures'][number]): boolean {
  return typeof value === 'number' && !isWithin(value, bounds)
}

/** What is no number is within nothing. */
export function isWithin(
  value: number,
  { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Bounds,
): boolean {
  return value >= atLeast && value <= atMost
}
