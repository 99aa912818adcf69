-- The budget of requests to the register's document host, which counts them apart from its REST API.
-- Safe with the previous release: yes (new table only).

-- One row, as in register_rest_budget.
create table register_document_budget (like register_rest_budget including all);

insert into register_document_budget default values;
