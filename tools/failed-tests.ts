// Prints how many tests passed and which failed, from the JSON that Vitest reports. With `--files LOG`: only the files to run
// again. An error outside the tests fails no test: only the log names its file.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

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

const [file, option, log] = process.argv.slice(2)
const report = JSON.parse(readFileSync(String(file), 'utf8')) as Report
const failed = report.testResults.filter((result) => result.status === 'failed')

if (option === '--files') {
  const printed = stripVTControlCharacters(readFileSync(String(log), 'utf8'))
  const outside = [...printed.matchAll(/This error originated in "([^"]+)" test file/g)].map((match) =>
    String(match[1]),
  )
  console.log([...new Set([...failed.map(({ name }) => relative('.', name)), ...outside])].join('\n'))
} else {
  console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed`)
  for (const { name, message, assertionResults } of failed) {
    console.log(`failed the first time: ${relative('.', name)}${message && `: ${message.slice(0, 500)}`}`)
    for (const test of assertionResults.filter(({ status }) => status === 'failed')) {
      console.log(`  ${test.fullName}\n    ${(test.failureMessages[0] ?? '').slice(0, 1000)}`)
    }
  }
}
