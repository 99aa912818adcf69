// Prints how many tests passed and which failed, from the JSON that Vitest reports. With `--files`: only the files to run again.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

const [file, option] = process.argv.slice(2)
const report = JSON.parse(readFileSync(String(file), 'utf8')) as Report
const failed = report.testResults.filter((result) => result.status === 'failed')

if (option === '--files') {
  for (const { name } of failed) console.log(relative('.', name))
} else {
  console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed`)
  for (const { name, message, assertionResults } of failed) {
    console.log(`failed the first time: ${relative('.', name)}${message && `: ${message.slice(0, 500)}`}`)
    for (const test of assertionResults.filter(({ status }) => status === 'failed')) {
      console.log(`  ${test.fullName}\n    ${(test.failureMessages[0] ?? '').slice(0, 1000)}`)
    }
  }
}
