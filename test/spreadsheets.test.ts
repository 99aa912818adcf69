/** People copy a script from the documentation into Google Sheets or Excel: these tests run the very files against the service. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { rebuildSearchIndex } from '../src/register/search/search-index.ts'
import { type PlayedSheet, playSheet } from './setup/apps-script.ts'
import type { SheetSetting } from './setup/apps-script-thread.ts'
import { ALDER, BRACKEN, publish, siteNaming, siteWithoutCompany, whileNoWorkEnds } from './setup/companies.ts'
import { prepare, useTestService, WAIT } from './setup/harness.ts'

const it = useTestService({ companies: [ALDER, BRACKEN] })
const account = prepare(() => it.openAccount({ credits: 100 }))
beforeAll(async () => {
  await rebuildSearchIndex(it.app.db)
})

const ROOT = join(import.meta.dirname, '..')

async function copyScript(name: string): Promise<string> {
  const page = await it.visit('GET', '/docs/spreadsheets')
  expect(page.text).toContain(`href="/docs/${name}"`)
  const { status, text, headers } = await it.visit('GET', `/docs/${name}`)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  return text
}

/** A sheet with the script in it; `key: null` is one where the key was not set. */
async function openSheet(setting: Omit<SheetSetting, 'script'> & { key?: string | null }): Promise<PlayedSheet> {
  const { key = account.key, replies = [], ...rest } = setting
  const script = await copyScript('nameplate.gs')
  const sheet = playSheet({ ...rest, script, replies: key === null ? replies : [key, ...replies] })
  onTestFinished(() => sheet.close())
  await sheet.call('onOpen')
  if (key !== null) await sheet.call('nameplateSetKey')
  return sheet
}

const column = (...cells: unknown[]) => cells.map((cell) => [cell])

describe('a formula in Google Sheets', () => {
  test('NAMEPLATE_PROFILE gives a fact of each number', async () => {
    const sheet = await openSheet({ cells: [] })
    const numbers = column(ALDER.number, '5820417', '', '00000001', ALDER.number)
    expect(await sheet.call('NAMEPLATE_PROFILE', numbers, 'company_name')).toEqual(
      column(ALDER.name, BRACKEN.name, '', '', ALDER.name),
    )
    expect(sheet.sent, 'each number is asked for once').toHaveLength(3)
    expect(await sheet.call('NAMEPLATE_PROFILE', numbers, 'registered_postcode')).toEqual(
      column('HG4 1AA', 'HG4 1AB', '', '', 'HG4 1AA'),
    )
    expect(sheet.sent, 'another fact is in the cache').toHaveLength(3)
  })

  test('NAMEPLATE_COMPANY gives companies of domains, and says what is not matched', async () => {
    const [matched, review, none] = [
      publish(it.web),
      publish(it.web, siteNaming(BRACKEN)),
      publish(it.web, siteWithoutCompany()),
    ]
    for (const domain of [matched, review, none])
      await it.call('POST', '/v1/resolve/domain', { key: account.key, body: { domain }, headers: WAIT })
    const sheet = await openSheet({ cells: [] })
    const domains = column(matched, review, none, 'n/a', '', `https://www.${matched}/shop`)
    expect(await sheet.call('NAMEPLATE_COMPANY', domains)).toEqual(
      column(ALDER.name, 'needs review', 'no match', 'not valid', '', ALDER.name),
    )
    expect(await sheet.call('NAMEPLATE_COMPANY', domains, 'company_number')).toEqual(
      column(ALDER.number, 'needs review', 'no match', 'not valid', '', ALDER.number),
    )
    expect(sheet.sent.map(({ headers }) => headers['x-api-key'])).toEqual(sheet.sent.map(() => account.key))
  })

  test('a domain whose site is still being read is pending, and has its answer when the cells are refreshed', async () => {
    const domain = publish(it.web)
    const sheet = await openSheet({ cells: [['Domain', `=NAMEPLATE_COMPANY(A2)`]] })
    await whileNoWorkEnds(it.app, async () => {
      expect(await sheet.call('NAMEPLATE_COMPANY', domain)).toEqual([['pending']])
    })
    await it.settle()
    await sheet.call('nameplateRefresh')
    expect((await sheet.readCells())[0]).toEqual(['Domain', '=NAMEPLATE_COMPANY(A2)'])
    expect(await sheet.call('NAMEPLATE_COMPANY', domain)).toEqual([[ALDER.name]])
  })

  test('without a key, or without credits, the cell says what to do', async () => {
    const sheet = await openSheet({ cells: [], key: null })
    await expect(sheet.call('NAMEPLATE_COMPANY', 'example.co.uk')).rejects.toThrow('Set the API key')
    const poor = await it.openAccount({ credits: 0 })
    const broke = await openSheet({ cells: [], key: poor.key })
    await expect(broke.call('NAMEPLATE_COMPANY', publish(it.web))).rejects.toThrow('no credits left')
  })
})

describe('the menu in Google Sheets', () => {
  test('fills a column by one bulk job, after it has said the most it can cost', async () => {
    const [matched, none] = [publish(it.web), publish(it.web, siteWithoutCompany())]
    const cells = [['Domain'], [matched], [none], ['n/a'], [matched]]
    const sheet = await openSheet({ cells, selected: { row: 2, column: 1, rows: 4, columns: 1 }, replies: ['yes'] })
    await sheet.call('nameplateFill')
    const [cost, started] = await sheet.takeAlerts()
    expect(cost).toMatch(/^4 rows: 2 credits at most, of your \d+\. Start\?$/)
    expect(started).toContain('Fetch the answers')
    await it.settle()
    await sheet.call('nameplateFetch')
    expect(await sheet.takeAlerts()).toEqual(['All rows have their answer.'])
    const [header, first, second, third, fourth] = await sheet.readCells()
    expect(header).toEqual(['Domain'])
    // The number is text with its zeros, as the sheet would otherwise drop them; the confidence is a number.
    expect(first?.slice(0, 4)).toEqual([matched, 'matched', ALDER.name, ALDER.number])
    expect(first?.[6]).toBeGreaterThan(0.5)
    expect([second?.[1], third?.[1], fourth?.[1]]).toEqual(['no_match', 'invalid', 'matched'])
  })

  test('a domain that is in the list again has every cell of its company there, too', async () => {
    const [matched, review] = [publish(it.web), publish(it.web, siteNaming(BRACKEN))]
    const cells = [['Domain'], [matched], [`ann@${matched}`], [review], [review]]
    const sheet = await openSheet({ cells, selected: { row: 2, column: 1, rows: 4, columns: 1 }, replies: ['yes'] })
    await sheet.call('nameplateFill')
    await it.settle()
    await sheet.call('nameplateFetch')
    const [, first, again, open, openAgain] = await sheet.readCells()
    const words = ['matched', ALDER.name, ALDER.number, 'Active', ALDER.postcode]
    expect(first?.slice(1, 6)).toEqual(words)
    expect([first?.[6], first?.[7]]).toEqual([expect.any(Number), expect.stringMatching(/./)])
    expect(again?.slice(1)).toEqual(first?.slice(1))
    expect(open?.slice(1, 4)).toEqual(['needs_review', '', ''])
    expect(openAgain?.slice(1)).toEqual(open?.slice(1))
  })

  test('matches names with the postcodes beside them, free of charge', async () => {
    const cells = [
      ['Company name', 'Postcode'],
      ['Alderfinch Joinery', 'HG4 1AA'],
      ['Brackenmil Textiles', ''],
      ['', ''],
      ['Qqqq "Zzzz"; Ltd', 'M1 1AE'],
      ['zzyzx.co.uk', ''],
      ['Alderfinch Joinery', 'HG4 1AA'],
    ]
    const sheet = await openSheet({ cells, selected: { row: 1, column: 1, rows: 7, columns: 2 }, replies: ['yes'] })
    await sheet.call('nameplateMatch')
    expect((await sheet.takeAlerts())[0]).toMatch(/^7 rows: 0 credits at most/)
    await it.settle()
    await sheet.call('nameplateFetch')
    expect(await sheet.takeAlerts()).toEqual(['All rows have their answer.'])
    const matched = ['matched', ALDER.name, ALDER.number]
    expect((await sheet.readCells()).map((row) => row.slice(2, 5))).toEqual([
      ['no_match', '', ''],
      matched,
      ['needs_review', '', ''],
      ['invalid', '', ''],
      ['no_match', '', ''],
      ['no_match', '', ''],
      matched,
    ])
  })

  /** A list of one domain with a filled row above it, sent and resolved. */
  async function sendOne(cells: string[][], more: Partial<SheetSetting> = {}): Promise<PlayedSheet> {
    const selected = { row: 2, column: 1, rows: 1, columns: 1 }
    const sheet = await openSheet({ cells, selected, replies: ['yes'], ...more })
    await sheet.call('nameplateFill')
    await it.settle()
    await sheet.takeAlerts()
    return sheet
  }

  test('never writes answers beside other rows: after sorting or inserting it stops and says so', async () => {
    const domain = publish(it.web)
    const sheet = await sendOne([['Domain'], [domain], ['other.co.uk']])
    const moved = [['Domain'], ['other.co.uk'], [domain]]
    await sheet.editCells(moved)
    await sheet.call('nameplateFetch')
    expect(await sheet.takeAlerts()).toEqual([expect.stringContaining('not where they were')])
    expect(await sheet.readCells()).toEqual(moved)
    await sheet.editCells([['Domain'], [domain], ['other.co.uk']])
    await sheet.call('nameplateFetch')
    expect((await sheet.readCells())[1]?.slice(0, 3)).toEqual([domain, 'matched', ALDER.name])
  })

  test('finds its sheet under another name', async () => {
    const sheet = await sendOne([['Domain'], [publish(it.web)]])
    await sheet.rename('Leads of May')
    await sheet.call('nameplateFetch')
    expect(await sheet.takeAlerts()).toEqual(['All rows have their answer.'])
    expect((await sheet.readCells())[1]?.[3]).toBe(ALDER.number)
  })

  test('asks before it replaces filled cells beside the list, and not when it fetches again', async () => {
    const domain = publish(it.web)
    const filled = [['Domain', 'Owner'], [domain, 'Ann'], ['other.co.uk']]
    const declined = await sendOne(filled, { replies: ['no'] })
    expect(declined.sent, 'nothing is sent').toEqual([])
    const sheet = await sendOne([['Domain', 'Owner'], [domain]])
    await sheet.editCells(filled)
    await sheet.reply('no')
    await sheet.call('nameplateFetch')
    expect(await sheet.takeAlerts()).toEqual([expect.stringMatching(/^The 7 columns to the right are not empty/)])
    expect(await sheet.readCells()).toEqual(filled)
    await sheet.reply('yes')
    await sheet.call('nameplateFetch')
    const written = await sheet.readCells()
    expect(written[1]?.slice(0, 2)).toEqual([domain, 'matched'])
    await sheet.takeAlerts()
    await sheet.call('nameplateFetch')
    expect(await sheet.takeAlerts()).toEqual(['All rows have their answer.'])
    expect(await sheet.readCells()).toEqual(written)
  })

  test('adds columns where the sheet ends beside the list', async () => {
    const sheet = await sendOne([['Domain'], [publish(it.web)]], { columnsMax: 3 })
    await sheet.call('nameplateFetch')
    expect((await sheet.readCells())[1]?.[3]).toBe(ALDER.number)
  })

  test('sends nothing when the person says no, or has selected empty cells', async () => {
    const declined = await openSheet({ cells: [[publish(it.web)]], replies: ['no'] })
    await declined.call('nameplateFill')
    const empty = await openSheet({ cells: [['']] })
    await empty.call('nameplateFill')
    const paths = [...declined.sent, ...empty.sent].map(({ url }) => new URL(url).search)
    expect(paths).toEqual(['?preflight=true'])
  })
})

interface Written {
  /** The first row and column from 0, then the size. */
  at: [row: number, column: number, rows: number, columns: number]
  format: string
  values: string[][]
}

/** The part of Excel that the script uses: one sheet, with the selection from its first cell on. */
function playWorkbook(selected: string[][], beside: string[][] = []) {
  const written: Written = { at: [0, 0, 0, 0], format: '', values: [] }
  const properties = new Map<string, string>()
  const getRangeByIndexes = (...at: Written['at']) => {
    written.at = at
    const [, , rows, columns] = at
    const cellsBeside = () =>
      Array.from({ length: rows }, (_r, row) =>
        Array.from({ length: columns }, (_c, column) => beside[row]?.[column] ?? ''),
      )
    return {
      getFormulas: () => (written.values.length > 0 ? written.values : cellsBeside()),
      setNumberFormat: (format: string) => void (written.format = format),
      setValues: (values: string[][]) => void (written.values = values),
    }
  }
  const sheet = {
    getRangeByIndexes,
    addWorksheetCustomProperty: (key: string, value: string) => void properties.set(key, value),
    getWorksheetCustomProperty: (key: string) =>
      properties.has(key) ? { getValue: () => properties.get(key) } : undefined,
  }
  const range = {
    getTexts: () => selected,
    getRowIndex: () => 0,
    getColumnIndex: () => 0,
    getColumnCount: () => selected[0]?.length ?? 0,
    getWorksheet: () => sheet,
  }
  return { workbook: { getSelectedRange: () => range }, written }
}

async function runInExcel(
  selected: string[][],
  what: 'check' | 'domains' | 'names',
  apiKey: string,
  { workbook, written } = playWorkbook(selected),
) {
  const script = stripTypeScriptTypes(await copyScript('nameplate-excel.ts'))
  // A tenth of the script's pauses: it asks every two seconds whether the job has ended.
  const setSoon = (then: () => void, ms: number) => setTimeout(then, ms / 10)
  const context = createContext({ fetch, setTimeout: setSoon, workbook, what, apiKey })
  const message = (await runInContext(`${script}\nmain(workbook, what, apiKey)`, context)) as string
  return { message, written }
}

describe('the script in Excel', () => {
  test('has the types of Office Scripts', () => {
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', join(ROOT, 'docs/scripts')], { stdio: 'pipe' })
    // Excel takes no modules.
    expect(readFileSync(join(ROOT, 'docs/scripts/nameplate-excel.ts'), 'utf8')).not.toMatch(/^\s*(?:import|export) /m)
  })

  test('writes the companies of domains beside them, and sends the same list once', async () => {
    const [matched, none] = [publish(it.web), publish(it.web, siteWithoutCompany())]
    const first = await runInExcel([[matched], [none], ['n/a']], 'domains', account.key)
    expect(first.message).toBe('All rows have their answer.')
    expect(first.written.values.map((row) => row.slice(0, 3))).toEqual([
      ['matched', ALDER.name, ALDER.number],
      ['no_match', '', ''],
      ['invalid', '', ''],
    ])
    // As text, from the column beside the selection on, one row for each of it.
    expect([first.written.format, first.written.at]).toEqual(['@', [0, 1, 3, 6]])
    const before = (await it.call('GET', '/v1/bulk', { key: account.key })).body.data.length
    const again = await runInExcel([[matched], [none], ['n/a']], 'domains', account.key)
    expect(again.written).toEqual(first.written)
    expect((await it.call('GET', '/v1/bulk', { key: account.key })).body.data).toHaveLength(before)
  })

  test('a domain that is in the list again has every cell of its company there, too', async () => {
    const [matched, none] = [publish(it.web), publish(it.web, siteWithoutCompany())]
    const { written } = await runInExcel([[matched], [`ann@${matched}`], [none], [none]], 'domains', account.key)
    const [first, again, second, secondAgain] = written.values
    expect(first?.slice(0, 5)).toEqual(['matched', ALDER.name, ALDER.number, 'Active', ALDER.postcode])
    expect(first?.[5]).toMatch(/./)
    expect(again).toEqual(first)
    expect(second?.slice(0, 5)).toEqual(['no_match', '', '', '', ''])
    expect(secondAgain).toEqual(second)
  })

  test('writes the companies of names beside them', async () => {
    const names = [
      ['', ''],
      ['Alderfinch Joinery', 'HG4 1AA'],
      ['Brackenmil Textiles', ''],
      ['Qqqq Zzzz', ''],
      ['', ''],
    ]
    const { written, message } = await runInExcel(names, 'names', account.key)
    expect(message).toBe('All rows have their answer.')
    expect(written.at).toEqual([0, 2, 5, 6])
    expect(written.values.map((row) => row.slice(0, 3))).toEqual([
      ['invalid', '', ''],
      ['matched', ALDER.name, ALDER.number],
      ['needs_review', '', ''],
      ['no_match', '', ''],
      ['', '', ''],
    ])
  })

  test('replaces its own answers when it runs again, and never other cells beside the selection', async () => {
    const names = [['Alderfinch Joinery'], ['Qqqq Zzzz']]
    const played = playWorkbook(names)
    await runInExcel(names, 'names', account.key, played)
    const { values } = (await runInExcel(names, 'names', account.key, played)).written
    expect(values[0]?.slice(0, 3)).toEqual(['matched', ALDER.name, ALDER.number])
    const edited = values.map((row, index) => (index === 1 ? ['checked by Ann', ...row.slice(1)] : row))
    played.written.values = edited
    await expect(runInExcel(names, 'names', account.key, played)).rejects.toThrow('need 6 empty columns')
    expect(played.written.values).toBe(edited)
    const filled = playWorkbook([['example.co.uk']], [['', 'Ann']])
    // A wrong key shows whether anything was sent.
    const refused = runInExcel([['example.co.uk']], 'domains', 'np_live_wrong', filled)
    await expect(refused).rejects.toThrow('need 6 empty columns to the right of your cells')
    expect(filled.written.values).toEqual([])
  })

  test('stops with the reason when the key is wrong or nothing is selected', async () => {
    await expect(runInExcel([['example.co.uk']], 'domains', 'np_live_wrong')).rejects.toThrow(/key/i)
    await expect(runInExcel([['']], 'domains', account.key)).rejects.toThrow(
      'Select the cells with your domains first.',
    )
  })

  test('says with check what a list can cost at most, and starts and writes nothing', async () => {
    const person = await it.openAccount({ credits: 7 })
    const [one, other] = [publish(it.web), publish(it.web)]
    // Filled cells beside the selection do not matter.
    const domains = [[one], [other], [`www.${one}`], ['n/a'], ['ann@gmail.com'], ['']]
    const played = playWorkbook(domains, [['Ann']])
    const { message, written } = await runInExcel(domains, 'check', person.key, played)
    expect(message).toBe(
      '6 rows: 2 domains, 0 of them already paid, 1 repeated, 2 empty or not valid, 1 free e-mail addresses. ' +
        'It costs at most 2 credits, of your 7. Nothing was started.',
    )
    expect(written.values).toEqual([])
    expect((await it.call('GET', '/v1/bulk', { key: person.key })).body.data).toEqual([])
    await expect(runInExcel([['']], 'check', person.key)).rejects.toThrow('Select the cells with your domains first.')
  })

  test('may call the API from a browser, with its headers', async () => {
    const { headers } = await it.call('OPTIONS', '/v1/bulk', {
      headers: {
        origin: 'https://excel.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,idempotency-key,x-api-key',
      },
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-headers')).toContain('idempotency-key')
  })
})

describe('a column of a table, set up as the recipe says', () => {
  const recipe = readFileSync(join(ROOT, 'docs/spreadsheets.md'), 'utf8')
  const box = (name: string) => new RegExp(`^\\| ${name} \\| (.+) \\|$`, 'm').exec(recipe)?.[1] ?? ''
  const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? '')

  /** One row, sent by the boxes of the recipe. */
  function sendRow(key: string, domain: string) {
    const [keyHeader = '', preferHeader = '', preference = '', typeHeader = '', type = ''] = quoted(box('Headers'))
    const [endpoint = ''] = quoted(box('Endpoint'))
    return it.call(quoted(box('Method'))[0] ?? '', new URL(endpoint).pathname, {
      rawBody: (quoted(box('Body'))[0] ?? '').replace('/Domain', domain),
      headers: { [keyHeader]: key, [preferHeader]: preference, [typeHeader]: type },
    })
  }

  test('returns every field that it names, in one response', async () => {
    const { status, body } = await sendRow(account.key, publish(it.web))
    expect([status, body.result.match_status, body.result.company_number]).toEqual([200, 'matched', ALDER.number])
    const paths = quoted(box('Field paths to return'))
    expect(paths.length).toBeGreaterThan(3)
    for (const path of paths) {
      const [, field = ''] = path.split('.')
      expect(body.result[field], path).not.toBeNull()
      expect(body.result, path).toHaveProperty(field)
    }
  })

  test.each([
    ['a row without a domain', 'n/a', 400],
    ['an address at a free e-mail provider', 'ann@gmail.com', 400],
  ])('refuses %s', async (_, domain, status) => {
    expect((await sendRow(account.key, domain)).status).toBe(status)
  })

  test('says 402 without credits, and a row that was answered is free when it runs again', async () => {
    const poor = await it.openAccount({ credits: 0 })
    expect((await sendRow(poor.key, publish(it.web))).status).toBe(402)
    const domain = publish(it.web)
    expect((await sendRow(account.key, domain)).body.charged).toBe(true)
    expect((await sendRow(account.key, domain)).body.charged).toBe(false)
  })
})
