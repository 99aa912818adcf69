/**
 * `npm run fit-weights -- <folder>`: fits the weights of the resolver's argument on every world of worlds/, and writes
 * src/resolver/match/weights.json. For each world it also fits weights without that world, which `npm run accuracy` uses to
 * say how well calibrated answers are on a world that taught the weights nothing. The folder keeps the answers of each
 * world; a world without a file there is measured first, which takes minutes.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Label } from '../rig/labels.ts'
import type { Weights } from '../src/resolver/match/weigh.ts'
import type { Resolution } from '../src/resolver/resolution.ts'
import type { Answer } from './accuracy/answer.ts'
import { expectedCalibrationError, toClaim, toReliability } from './accuracy/calibration.ts'
import { restate } from './accuracy/held-out.ts'
import { type BestCandidate, fitCalibration, fitWeights, measureVetoes, type NamedCompany } from './weights/fit.ts'

/**
 * The most that is ever stated: the precision of the first runs on fresh-3 and fresh-4, rounded down. Of companies with the
 * site's name, 299 of 311 matches were right; of others in a sentence that names the site, 22 of 22, which is no more than
 * 0.95 can be known by; of the rest, 9 of 19. Since then the rest need something more that connects them with the site, which
 * 9 of 12 of these had.
 */
const CAPS: Weights['caps'] = { own_name: 0.96, named_stranger: 0.95, stranger: 0.75 }

/** Situations without a veto: a match, or no candidate. */
const UNVETOED = new Set<Resolution['situation']>(['proven', 'nobody'])

const ROOT = join(import.meta.dirname, '..')
const [folder] = process.argv.slice(2)
if (folder === undefined || folder === '--help') {
  console.error('Usage: npm run fit-weights -- <folder for the answers of each world>')
  process.exit(2)
}
mkdirSync(folder, { recursive: true })

interface WorldAnswers {
  world: string
  companies: NamedCompany[]
  candidates: Array<BestCandidate & { explanation: Resolution['explanation'] }>
}

const all = readdirSync(join(ROOT, 'worlds'))
  .filter((name) => name.endsWith('.tar.gz'))
  .map((archive) => readWorld(basename(archive, '.tar.gz')))
const fitted = fit(all)
const without = all.map((left) => {
  console.error(`fitting without ${left.world}`)
  return { left, weights: fit(all.filter((other) => other !== left)) }
})
write('src/resolver/match/weights.json', { version: new Date().toISOString().slice(0, 10), ...fitted })
write(
  'tools/accuracy/weights-without.json',
  Object.fromEntries(without.map(({ left, weights }) => [left.world, weights])),
)
for (const { left, weights } of without) print(left.world, claimsOf(left, weights))
print(
  'all, each with the weights of the others',
  without.flatMap(({ left, weights }) => claimsOf(left, weights)),
)

function fit(worlds: readonly WorldAnswers[]): Weights {
  const companies = worlds.flatMap((one) => one.companies)
  return {
    weights: fitWeights(companies),
    calibration: fitCalibration(companies),
    vetoes: measureVetoes(
      worlds.flatMap((one) => one.candidates),
      companies,
    ),
    caps: CAPS,
  }
}

function readWorld(world: string): WorldAnswers {
  const file = join(String(folder), `${world}.jsonl`)
  if (!existsSync(file)) {
    const tool = ['tools/accuracy.ts', `worlds/${world}.tar.gz`, '--dump', file]
    execFileSync(process.execPath, tool, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const lines = readFileSync(file, 'utf8').split('\n')
  const answers = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line)
  return {
    world,
    companies: answers.flatMap((line) => listCompanies(world, line)),
    candidates: answers.flatMap(({ answer, label, resolution }) => {
      const claim = toClaim(answer, label)
      if (claim === null || resolution === null) return []
      const veto = resolution.explanation.features.find(({ kind }) => kind === 'veto')?.level ?? null
      return [{ world, veto, right: claim.correct, explanation: resolution.explanation }]
    }),
  }
}

interface Line {
  label: Label
  answer: Answer
  resolution: Resolution | null
}

/**
 * Returns every company that the site names. A candidate under a veto is left out: the veto decides what is stated for it.
 */
function listCompanies(world: string, { label, answer, resolution }: Line): NamedCompany[] {
  if (resolution === null) return []
  const { considered, situation } = resolution
  const { companyNumbers: right } = label
  const toNamed = (number: string, features: string[]) => ({
    world,
    isMatch: number === answer.companyNumber,
    features,
    right: right.includes(number) ? 1 / right.length : 0,
  })
  const isVetoed = (number: string) => answer.candidates.includes(number) && !UNVETOED.has(situation)
  return considered
    .filter(({ companyNumber }) => !isVetoed(companyNumber))
    .map(({ companyNumber, features }) => toNamed(companyNumber, features))
}

function claimsOf({ candidates }: WorldAnswers, weights: Weights) {
  return candidates.map(({ explanation, right }) => ({ confidence: restate(explanation, weights), correct: right }))
}

function print(what: string, claims: ReturnType<typeof claimsOf>): void {
  const error = expectedCalibrationError(toReliability(claims)) ?? 0
  console.log(`${what}: ${claims.length} answers, calibration error ${error.toFixed(4)}`)
}

function write(path: string, content: object): void {
  writeFileSync(join(ROOT, path), `${JSON.stringify(content, null, 2)}\n`)
}
