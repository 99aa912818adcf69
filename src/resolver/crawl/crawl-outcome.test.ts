import { describe, expect, test } from 'vitest'
import type { CrawledPage } from './crawl.ts'
import { chooseMostInformative, classifyPages, explainTrouble, type Trouble } from './crawl-outcome.ts'

describe('what the trouble at the home page means', () => {
  test.each<[Trouble, string, RegExp]>([
    [{ kind: 'status', status: 401 }, 'blocked', /password/],
    [{ kind: 'status', status: 403 }, 'blocked', /refuses/],
    [{ kind: 'status', status: 407 }, 'blocked', /password/],
    [{ kind: 'status', status: 429 }, 'blocked', /429/],
    [{ kind: 'status', status: 451 }, 'blocked', /legal reasons/],
    [{ kind: 'challenge' }, 'blocked', /browser check/],
    [{ kind: 'robots' }, 'blocked', /robots\.txt/],
    [{ kind: 'status', status: 404 }, 'failed', /no home page/],
    [{ kind: 'status', status: 410 }, 'failed', /no home page/],
    [{ kind: 'status', status: 418 }, 'failed', /418/],
    [{ kind: 'status', status: 500 }, 'failed', /server error/],
    [{ kind: 'status', status: 503 }, 'failed', /server error/],
    [{ kind: 'name_not_found' }, 'failed', /does not resolve/],
    [{ kind: 'timeout' }, 'failed', /in time/],
    [{ kind: 'certificate' }, 'failed', /certificate/],
    [{ kind: 'redirect_loop' }, 'failed', /circle/],
    [{ kind: 'robots_unknown' }, 'failed', /robots\.txt/],
  ])('%o: %s', (trouble, outcome, reason) => {
    const explained = explainTrouble(trouble)
    expect(explained.outcome).toBe(outcome)
    expect(explained.reason).toMatch(reason)
    expect(explained.reason).toMatch(/^[A-Z].*\.$/)
  })

  test('an answer tells more than silence, and a certificate more than a closed port', () => {
    const choose = (...kinds: Array<Exclude<Trouble['kind'], 'status'>>) =>
      chooseMostInformative(kinds.map((kind) => ({ kind }))).kind
    expect(choose('name_not_found', 'timeout')).toBe('timeout')
    expect(choose('refused', 'certificate')).toBe('certificate')
    expect(choose('certificate', 'redirect_loop')).toBe('redirect_loop')
    expect(chooseMostInformative([{ kind: 'timeout' }, { kind: 'status', status: 404 }])).toEqual({
      kind: 'status',
      status: 404,
    })
  })
})

describe('whether the pages say anything', () => {
  const page = (visibleCharacters: number, scripts = 0) =>
    ({ outline: { visibleCharacters, scripts } }) as unknown as CrawledPage

  test.each([
    ['one page with text', [page(900, 4)], 'read'],
    ['short pages that add up', [page(120), page(120)], 'read'],
    ['a shell beside a page with text', [page(10, 3), page(400)], 'read'],
    ['a page that says nearly nothing', [page(40)], 'thin'],
    ['several script shells', [page(120, 2), page(120, 2)], 'thin'],
  ])('%s', (_, pages, outcome) => {
    expect(classifyPages(pages).outcome).toBe(outcome)
  })
})
