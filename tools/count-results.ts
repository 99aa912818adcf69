/**
 * Counts what `.ci/run` has tried: every test, and every other step as one. Prints the slowest test files, what failed and,
 * last and alone on its line, how much passed and failed. Ends with 1 where anything failed.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

interface TestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; startTime: number; endTime: number; message: string; assertionResults: TestResult[] }[]
}

interface TestResult {
  status: string
  fullName: string
  failureMessages: string[]
}

const SHOWN_MAX = 10
const WHY_LENGTH_MAX = 1_500
const NOTHING: TestReport = { numPassedTests: 0, numFailedTests: 0, testResults: [] }

/** The folder has `verdicts`, a line for each step, and what Vitest reports as `tests.json`. */
const folder = process.argv[2] ?? ''
const steps = readFileSync(join(folder, 'verdicts'), 'utf8').trim().split('\n')
const tests = existsSync(join(folder, 'tests.json'))
  ? (JSON.parse(readFileSync(join(folder, 'tests.json'), 'utf8')) as TestReport)
  : NOTHING

const slowest = tests.testResults
  .map(({ name, startTime, endTime }) => ({ file: relative('.', name), seconds: (endTime - startTime) / 1_000 }))
  .toSorted((one, other) => other.seconds - one.seconds)
console.log('the slowest test files:')
for (const { file, seconds } of slowest.slice(0, SHOWN_MAX)) console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`)

const failures = tests.testResults.flatMap(({ name, message, assertionResults }) => {
  const failedTests = assertionResults.filter(({ status }) => status === 'failed')
  const file = relative('.', name)
  if (failedTests.length === 0) return message ? [{ test: file, why: message }] : []
  return failedTests.map(({ fullName, failureMessages }) => ({
    test: `${file} > ${fullName}`,
    why: withoutPackages(failureMessages.join('\n')),
  }))
})
for (const step of steps.filter((each) => each.startsWith('FAILED '))) console.log(step)
for (const { test, why } of failures.slice(0, SHOWN_MAX)) console.log(`FAILED ${test}\n${why.slice(0, WHY_LENGTH_MAX)}`)

/** Returns the message with those places of the stack that are ours. */
function withoutPackages(message: string): string {
  const lines = message.split('\n')
  return lines.filter((line) => !line.includes('/node_modules/') && !line.includes('at new Promise')).join('\n')
}

const isOk = (step: string) => step.startsWith('ok ')
const isTests = (step: string) => step.endsWith(' tests')
const others = steps.filter((step) => !isTests(step))
// Tests can fail outside of a test, as by a documented response that none has seen.
const failedOutside = tests.numFailedTests === 0 && steps.some((step) => isTests(step) && !isOk(step)) ? 1 : 0
const passed = tests.numPassedTests + others.filter(isOk).length
const failed = tests.numFailedTests + failedOutside + others.filter((step) => !isOk(step)).length
console.log(`${passed} passed, ${failed} failed`)
if (failed > 0) process.exitCode = 1
