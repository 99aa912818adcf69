-- repeat
select copy_pages(1, 50) as left
