/**
 * `node tools/fit-guesses.ts <csv>`: fits the guesses to companies whose domains are known. Each half of them is measured
 * with what the other half taught, words included; only when both hold are common-words.json and guess-weights.json
 * written, from all of it. `npm run format` then puts them in the house's form.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GuessModel, guessDomains } from '../src/websites/guess/guess-domains.ts'
import { countWordUses } from './guesses/count-words.ts'
import { fitWeights } from './guesses/fit-weights.ts'
import { halfOf, type KnownCompany, parseKnownCompanies } from './guesses/known-companies.ts'
import { DEPTH_MAX, presentRecall, type Recall, rankCompany, toRecall } from './guesses/recall.ts'

/** The recall that the guesses must reach on companies that they were not fitted to. */
const HELD_OUT_MIN = { 20: 0.6, 50: 0.65 }
const FOLDER = join(import.meta.dirname, '../src/resolution')

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Usage: node tools/fit-guesses.ts <csv>')
  process.exit(2)
}
const companies = parseKnownCompanies(readFileSync(file, 'utf8'))
const halves = [0, 1].map((half) => companies.filter((company) => halfOf(company) === half))
const [first = [], second = []] = halves
const heldOut = [measureOn(second, fit(first)), measureOn(first, fit(second))]
const fitted = fit(companies)
const isGood = heldOut.every(({ byCompany }) => byCompany[20] >= HELD_OUT_MIN[20] && byCompany[50] >= HELD_OUT_MIN[50])
if (isGood) write(fitted)
else process.exitCode = 1
console.error(isGood ? 'Written. Now: npm run format' : 'Nothing was written: the held-out halves fall short.')
console.log(
  JSON.stringify(
    {
      words: fitted.wordUses.size,
      label_weights: fitted.label.size,
      ending_weights: fitted.ending.size,
      held_out: heldOut.map(presentRecall),
      fitted_on_itself: presentRecall(measureOn(companies, fitted)),
    },
    null,
    2,
  ),
)

function fit(some: KnownCompany[]): GuessModel {
  console.error(`Fitting to ${some.length} companies …`)
  return fitWeights(some, countWordUses(some))
}

function measureOn(some: KnownCompany[], model: GuessModel): Recall {
  return toRecall(some.map((company) => rankCompany(company, guessDomains(company, DEPTH_MAX, model))))
}

function write({ wordUses, label, ending }: GuessModel): void {
  const sorted = <T>(map: ReadonlyMap<string, T>) =>
    Object.fromEntries([...map].toSorted(([one], [other]) => (one < other ? -1 : 1)))
  writeFileSync(join(FOLDER, 'common-words.json'), `${JSON.stringify(sorted(wordUses))}\n`)
  writeFileSync(
    join(FOLDER, 'guess-weights.json'),
    `${JSON.stringify({ label: sorted(label), ending: sorted(ending) })}\n`,
  )
}
