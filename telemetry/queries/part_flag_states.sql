arrayJoin({flag_states_list})
