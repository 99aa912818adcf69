import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { registrableDomain } from '../crawl/page-address.ts'
import { toLabel } from '../extract/identity.ts'
import { findRegistrable, readRegistrable } from './registrable.ts'

test('a customer of a platform is a site of its own, for every part that asks', () => {
  for (const [host, domain, label] of [
    ['acme.blogspot.co.uk', 'acme.blogspot.co.uk', 'acme'],
    ['www.acme.blogspot.co.uk', 'acme.blogspot.co.uk', 'acme'],
    ['acme.business.site', 'acme.business.site', 'acme'],
    ['acme.github.io', 'acme.github.io', 'acme'],
    ['WWW.Acme.co.uk', 'acme.co.uk', 'acme'],
    ['wordpress.com', 'wordpress.com', 'wordpress'],
    ['m.wordpress.com', 'wordpress.com', 'wordpress'],
  ] as const) {
    expect([host, registrableDomain(host), findRegistrable(`https://${host}/x?y#z`)]).toEqual([host, domain, domain])
    expect([host, toLabel(host)]).toEqual([host, label])
  }
  expect(readRegistrable('co.uk')).toMatchObject({ domain: null, suffix: 'co.uk', isPublic: true })
  expect(readRegistrable('192.0.2.1')).toMatchObject({ domain: null, isIp: true })
})

test('the registrable domain is computed in one file', () => {
  const folders = ['resolver', 'resolution', 'bulk', 'review']
  const files = folders.flatMap((folder) => {
    const root = join(import.meta.dirname, '../..', folder)
    return readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => join(root, file))
  })
  const programs = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const guilty = programs.filter((file) =>
    /import \{[^}]*\b(?:getDomain|parse)\b[^}]*\} from 'tldts'/.test(readFileSync(file, 'utf8')),
  )
  expect(guilty.map((file) => file.split('/').slice(-2).join('/'))).toEqual(['domain/registrable.ts'])
})
