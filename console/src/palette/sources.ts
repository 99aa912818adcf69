/** The sources of “Find anything”, in the order of its groups. A new kind of thing is one more entry here. */
import type { CompanyLists, HistoryEntry, ListEntries, Reviews, SearchPage } from '../api/bodies.ts'
import { callApi } from '../api/client.ts'
import { readCompanyNumber } from '../register/company-number.ts'
import { describeDecision } from '../reviewing/decision-words.ts'
import { SCREENS } from '../screens.tsx'
import { wordOfOutcome } from '../ui/tones.ts'
import { showWord } from '../ui/words.ts'
import { addressOf, fetchViews } from '../views/views.ts'
import type { Found } from './found.ts'

export interface Source {
  /** The title of the group. */
  name: string
  /** So many letters are needed; 0 shows it at once. */
  lettersMin: number
  find: (text: string, signal: AbortSignal) => Found[] | Promise<Found[]>
}

/** From each source. */
const SHOWN_MAX = 5
/** The newest of a list that the API cannot search. */
const LISTED_MAX = 100
/** The API searches bulk jobs and watched companies by no longer text. */
const SOUGHT_CHARS_MAX = 100

const has = (text: string, wanted: string) => text.toLowerCase().includes(wanted.trim().toLowerCase())

const SETTINGS: Found[] = [
  { title: 'Password', href: '/settings#password' },
  { title: 'Appearance: light or dark', href: '/settings#appearance' },
  { title: 'Daily e-mail of signals', href: '/settings#daily-digest' },
  { title: 'E-mails of lists', href: '/settings#emails-of-lists' },
  { title: 'Second reader', href: '/settings#second-reader' },
  { title: 'API keys', href: '/keys' },
  { title: 'Connect an agent', href: '/keys' },
]

export const SOURCES: readonly Source[] = [
  {
    name: 'Screens',
    lettersMin: 0,
    find: (text) =>
      SCREENS.filter(({ name }) => has(name, text)).map(({ name, path, group }) => ({
        title: name,
        detail: group,
        href: path,
      })),
  },
  {
    name: 'Saved views',
    lettersMin: 0,
    find: async (text, signal) =>
      (await fetchViews(signal)).data
        .filter(({ name }) => has(name, text))
        .slice(0, text === '' ? SHOWN_MAX : LISTED_MAX)
        .map((view) => ({ title: view.name, detail: showWord(view.path.slice(1)), href: addressOf(view) })),
  },
  { name: 'Settings', lettersMin: 2, find: (text) => SETTINGS.filter(({ title }) => has(title, text)) },
  {
    name: 'Domains',
    lettersMin: 2,
    find: async (text, signal) => {
      const query = { domain: text.trim(), limit: SHOWN_MAX }
      const { data } = await callApi<{ data: HistoryEntry[] }>('GET', '/v1/resolutions', { query, signal })
      return data.map((entry) => ({
        title: entry.domain,
        detail: entry.company_name ?? wordOfOutcome(entry.outcome),
        href: `/resolutions/${entry.resolution_id}`,
      }))
    },
  },
  {
    name: 'Companies',
    lettersMin: 2,
    find: async (text, signal) => {
      const number = readCompanyNumber(text)
      if (number) return [{ title: number, detail: 'Open the company with this number', href: `/companies/${number}` }]
      const query = { name: text.trim() }
      const { data } = await callApi<SearchPage>('GET', '/v1/companies/search', { query, signal })
      return data.slice(0, SHOWN_MAX).map(({ company_name: title, company_number: number }) => ({
        title,
        detail: number,
        href: `/companies/${number}`,
      }))
    },
  },
  {
    name: 'Reviews',
    lettersMin: 2,
    find: async (text, signal) => {
      const query = { q: text.trim(), limit: SHOWN_MAX }
      const { data } = await callApi<Reviews>('GET', '/v1/reviews', { query, signal })
      return data.map((review) => ({
        title: review.domain,
        detail: review.decision
          ? describeDecision(review.decision, review.candidates)
          : (review.candidates[0]?.company_name ?? 'No candidate'),
        href: `/review/${review.id}`,
      }))
    },
  },
  {
    name: 'Bulk jobs',
    lettersMin: 2,
    find: async (text, signal) => {
      const query = { q: text.trim().slice(0, SOUGHT_CHARS_MAX), limit: SHOWN_MAX }
      type Jobs = { data: Array<{ id: string; name?: string | null; status: string }> }
      const { data } = await callApi<Jobs>('GET', '/v1/bulk', { query, signal })
      return data.map(({ id, name, status }) => ({
        title: name ?? id,
        detail: showWord(status),
        href: `/bulk/${id}`,
      }))
    },
  },
  {
    name: 'Lists',
    lettersMin: 2,
    find: async (text, signal) => {
      const { data } = await callApi<CompanyLists>('GET', '/v1/watchlists', { signal })
      return data
        .filter(({ name }) => has(name, text))
        .slice(0, SHOWN_MAX)
        .map(({ id, name }) => ({
          title: name,
          detail: 'Watchlist',
          href: `/watchlist?list=${encodeURIComponent(id)}`,
        }))
    },
  },
  {
    name: 'Watchlist',
    lettersMin: 2,
    find: async (text, signal) => {
      const query = { q: text.trim().slice(0, SOUGHT_CHARS_MAX), limit: SHOWN_MAX }
      const { data } = await callApi<ListEntries>('GET', '/v1/watchlists/all/companies', { query, signal })
      return data.map(({ company_name: name, company_number: number, note }) => ({
        title: name,
        detail: note === '' ? number : `${number}: ${note}`,
        href: `/companies/${number}`,
      }))
    },
  },
  {
    name: 'Do',
    lettersMin: 2,
    find: (text) => [
      ...(/^[^\s/]+\.[^\s/]{2,}$/.test(text.trim())
        ? [{ title: `Resolve ${text.trim()}`, href: `/?domain=${encodeURIComponent(text.trim())}` }]
        : []),
      {
        title: `Search the documentation for “${text.trim()}”`,
        href: `/docs/search?q=${encodeURIComponent(text.trim())}`,
        isOutside: true,
      },
    ],
  },
]
