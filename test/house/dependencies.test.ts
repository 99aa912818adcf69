/** The check of dependencies sees what it should: each planted problem is named. */
import { expect, test } from 'vitest'
import { readAudit } from '../../tools/dependencies/audit.ts'
import { findLicenceProblem } from '../../tools/dependencies/licences.ts'
import { findLockProblems, type LockedPackage, type Manifest } from '../../tools/dependencies/lock-file.ts'

const SOUND: LockedPackage = { version: '1.0.0', integrity: 'sha512-abc' }

function problemsOf(entry: LockedPackage, manifest: Manifest = {}): string[] {
  return findLockProblems({ manifest, lock: { packages: { '': {}, 'node_modules/planted': entry } } })
}

test('a dependency that may change, comes from elsewhere or runs at install is refused', () => {
  expect(problemsOf(SOUND, { dependencies: { planted: '1.0.0' } })).toEqual([])
  for (const version of ['^1.0.0', '~1.0.0', '1.x', '*', 'latest', 'git+https://git.example/planted.git']) {
    expect(problemsOf(SOUND, { dependencies: { planted: version } }), version).toHaveLength(1)
  }
  expect(problemsOf(SOUND, { devDependencies: { planted: '>=1' } })).toHaveLength(1)
  for (const resolved of ['git+ssh://git@git.example/planted.git', 'https://packages.example/planted.tgz']) {
    expect(problemsOf({ ...SOUND, resolved }), resolved).toHaveLength(1)
  }
  expect(problemsOf({ ...SOUND, resolved: 'https://registry.npmjs.org/planted/-/planted-1.0.0.tgz' })).toEqual([])
  expect(problemsOf({ version: '1.0.0' })).toEqual(['planted: has no hash in the lock file'])
  expect(problemsOf({ version: '1.0.0', optional: true, os: ['win32'] })).toEqual([])
  expect(problemsOf({ version: '1.0.0', integrity: 'sha1-abc' })).toEqual(['planted: its hash is weak'])
  expect(problemsOf({ ...SOUND, hasInstallScript: true })).toEqual(['planted: runs a program when it is installed'])
  expect(problemsOf(SOUND, { allowScripts: { planted: true } })).toHaveLength(1)
})

test('a licence is allowed, excepted by name, or refused', () => {
  const check = (name: string, licence: string, dev = false) => findLicenceProblem({ name, licence, dev })
  for (const licence of ['MIT', '(MIT OR GPL-3.0)', 'MIT AND ISC', 'Apache-2.0']) {
    expect(check('planted', licence), licence).toBeNull()
  }
  for (const licence of ['GPL-3.0', 'MIT AND GPL-3.0', 'AGPL-3.0-only', 'UNLICENSED', 'none', 'MPL-2.0']) {
    expect(check('planted', licence, true), licence).toContain(licence)
  }
  expect(check('axe-core', 'MPL-2.0', true)).toBeNull()
  expect(check('axe-core', 'MPL-2.0')).toContain('in development only')
})

test('advisories from "high" on are found, and no answer is no all-clear', () => {
  const audit = (severity: string) =>
    readAudit(JSON.stringify({ vulnerabilities: { planted: { severity, range: '<2' } } }))
  expect(audit('critical')).toEqual({ kind: 'found', advisories: ['planted <2: critical'] })
  expect(audit('moderate')).toEqual({ kind: 'clean' })
  expect(readAudit('{"vulnerabilities":{}}')).toEqual({ kind: 'clean' })
  expect(readAudit('{"message":"405 Method Not Allowed - POST https://registry.example/"}')).toEqual({
    kind: 'unknown',
    why: '405 Method Not Allowed',
  })
  expect(readAudit('').kind).toBe('unknown')
})
