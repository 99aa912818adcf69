/** Crawlee with everything off that can be. */
import { crawlWithCrawlee } from './crawlee.ts'
import { serveCrawl } from './measured-crawl.ts'

serveCrawl(crawlWithCrawlee('lean'))
