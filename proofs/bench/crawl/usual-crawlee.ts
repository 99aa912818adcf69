/** Crawlee as its documentation shows it. */
import { crawlWithCrawlee } from './crawlee.ts'
import { serveCrawl } from './measured-crawl.ts'

serveCrawl(crawlWithCrawlee('usual'))
