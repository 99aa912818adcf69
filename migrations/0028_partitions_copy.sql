-- repeat
select copy_pages(1, 1000) as left
