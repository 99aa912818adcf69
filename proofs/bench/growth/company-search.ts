import { loadSyntheticRegister } from '../../../rig/synthetic-register/load.ts'
import { searchCompanies } from '../../../src/register/search/search.ts'
import { rebuildSearchIndex } from '../../../src/register/search/search-index.ts'
import { drawQueries } from '../search.ts'
import { type Curve, scatter } from './curve.ts'

export const COMPANY_SEARCH: Curve = {
  name: 'search',
  does: 'find a company by name',
  rows: 'companies',
  tables: ['company', 'company_name', 'name_token'],
  /** All anew: how often a word is used, and so how it is searched, is a matter of all names. */
  async grow({ app, client, url }, { to }) {
    await client.query('truncate company')
    await loadSyntheticRegister(url, to, {})
    await rebuildSearchIndex(app.db, {})
    // In the file's order all of one kind of query would be of one part of the alphabet.
    const queries = drawQueries(to)
    return (place) => searchCompanies(app.db, { name: queries[scatter(place, queries.length)]?.typed ?? '', page: 1 })
  },
}
