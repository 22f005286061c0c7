// The licensing authority of each state: the fields of seeds/site/states.json that the licensing
// page needs.
import states from '@seeds/site/states.json?pick=slug,name,code,licensing';

export { states as licenses };
