/**
 * Web sites of companies: the search for a company's site, and the checks of verified sites for changes.
 *
 * Promises: a site is verified only when the resolver names this very company for its domain, with its number on the site;
 * a search reads few sites and ends; the verified site of a watched company is checked again, free of charge, and its
 * change reported once, after a second look.
 * Never does: charge (resolution does), or take a guess for an answer.
 */
export { scheduleWebsiteChecks } from './drift/check-websites.ts'
export { checkWebsiteJob, findWebsiteJob, scheduleWebsiteChecksJob } from './jobs.ts'
export { searchWebsite } from './search/search-website.ts'
